import { lazy } from '../lazy.ts';
import type * as ChatSeldom from './chat-seldom.ts';

/** Loads what a chat needs that goes beyond text. */
export const loadChatSeldom: () => Promise<typeof ChatSeldom> = lazy(() => import('./chat-seldom.ts'));
