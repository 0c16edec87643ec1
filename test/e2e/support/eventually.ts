import { expect } from 'vitest';

/** Waits until what is read is as expected. */
export function eventually<T>(read: () => T | Promise<T>) {
  return expect.poll(read, { timeout: 30_000, interval: 20 });
}
