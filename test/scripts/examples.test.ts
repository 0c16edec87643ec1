import { expect, test } from 'vitest';
import { loadConfigFromFile, normalizePath } from 'vite';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

test('`npm run examples` opens the examples on the sources', async () => {
  const file = fileURLToPath(new URL('../../examples/vite.repo.config.ts', import.meta.url));
  const { config } = (await loadConfigFromFile({ command: 'serve', mode: 'development' }, file)) ?? {};
  const { alias } = config?.resolve ?? {};
  if (!Array.isArray(alias)) return expect.unreachable();
  const found = alias.find(({ find }) => find instanceof RegExp && find.test('brooklet'));
  expect(normalizePath(found?.replacement ?? '')).toMatch(/\/src\/index\.ts$/u);
  expect(existsSync(found?.replacement ?? '')).toBe(true);
  expect(config?.root).toMatch(/\/examples$/u);
});
