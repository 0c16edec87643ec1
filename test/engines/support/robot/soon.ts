import { expect } from 'vitest';

/** Waits until a value is as expected: a page of a robot answers at once, on a busy machine in seconds. */
export function soon<T>(read: () => T | Promise<T>) {
  return expect.poll(read, { timeout: 15_000, interval: 30 });
}
