import { expect } from 'vitest';

/** Waits until the value is as expected. */
export function eventually<T>(read: () => T | Promise<T>) {
  return expect.poll(read, { timeout: 30_000, interval: 20 });
}
