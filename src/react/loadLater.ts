import { lazy } from '../core/lazy.ts';
import type * as Later from './chatLater.ts';

/** Loads what a chat needs when a person acts, or when an event has a listener. */
export const loadLater: () => Promise<typeof Later> = /* @__PURE__ */ lazy(() => import('./chatLater.ts'));
