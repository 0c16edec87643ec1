import { afterAll, beforeAll, vi } from 'vitest';
import { pageEvents } from './window.ts';

/** Gives the tests of a file the events of a page's window. Call it at the top of the file. */
export function actAsPage(): void {
  beforeAll(() => {
    for (const [name, value] of Object.entries(pageEvents)) vi.stubGlobal(name, value);
  });
  afterAll(() => {
    vi.unstubAllGlobals();
  });
}
