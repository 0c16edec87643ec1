import { vi } from 'vitest';

/** What `look` gives as soon as it throws nothing any more. Patient: the machine may be busy with something else. */
export function until<T>(look: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(look, { timeout: 20_000 });
}
