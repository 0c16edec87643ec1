import { afterEach, beforeEach, vi } from 'vitest';
import { pageEvents } from './window.ts';

/** Gives the tests of a file the events of a page's window. Call it at the top of the file. */
export function actAsPage(): void {
  beforeEach(() => {
    for (const [name, value] of Object.entries(pageEvents)) vi.stubGlobal(name, value);
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });
}
