import { lazy } from '../../../core/lazy.ts';
import type * as ChatSeldom from './deferred.ts';

/** Loads what a chat needs that goes beyond text. */
export const loadChatSeldom: () => Promise<typeof ChatSeldom> = lazy(() => import('./deferred.ts'));
