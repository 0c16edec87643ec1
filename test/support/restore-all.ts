import { vi } from 'vitest';

/** Puts back what tests have replaced by `vi`: timers, globals, variables of the environment, methods. */
export function restoreAll(): void {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
}
