import { vi } from 'vitest';

/**
 * Waits until `look` no longer throws, and returns its result. The timeout, in ms, is long, because the machine may be busy.
 */
export function until<T>(look: () => T | Promise<T>, timeout = 20_000): Promise<T> {
  return vi.waitFor(look, { timeout });
}
