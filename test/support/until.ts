import { vi } from 'vitest';

/**
 * Waits until `look` no longer throws, and returns its result. The timeout is long, because the machine may be busy.
 */
export function until<T>(look: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(look, { timeout: 20_000 });
}
