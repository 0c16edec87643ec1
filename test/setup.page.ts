import { afterAll } from 'vitest';
import { restoreAll } from './support/restore-all.ts';

// The files share a page: the next one must not find what this one has shown. A region for announcements is kept by its module.
afterAll(() => {
  restoreAll();
  for (const element of document.querySelectorAll('body > :not([aria-live])')) element.remove();
});
