import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { toPage } from './page.ts';

const file = new URL('../../docs/services.md', import.meta.url);

test('docs/services.md is what the services accept and refuse (UPDATE_SERVICES=1 writes it)', async () => {
  const page = await toPage();
  if (process.env.UPDATE_SERVICES) writeFileSync(file, page);
  expect(page).not.toContain('refused by');
  expect(readFileSync(file, 'utf8')).toBe(page);
});
