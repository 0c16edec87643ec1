import { expect } from 'vitest';

/** Waits until the value is as expected. A look takes some 4 ms of the processor: more of them would slow the pages that run beside. */
export function eventually<T>(read: () => T | Promise<T>) {
  return expect.poll(read, { timeout: 30_000, interval: 50 });
}
