import { lazy } from '../lazy.ts';

/** What is loaded when a chat first goes beyond text. */
export const loadChatSeldom: () => Promise<typeof import('./chat-seldom.ts')> = lazy(() => import('./chat-seldom.ts'));
