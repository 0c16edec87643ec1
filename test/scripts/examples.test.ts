import { expect, test } from 'vitest';
import { type Alias, loadConfigFromFile, normalizePath } from 'vite';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

test('`npm run examples` opens the examples on the sources', async () => {
  const file = fileURLToPath(new URL('../../examples/vite.repo.config.ts', import.meta.url));
  const { config = {} } = (await loadConfigFromFile({ command: 'serve', mode: 'development' }, file)) ?? {};
  const alias: unknown = config.resolve?.alias;
  const names: readonly Alias[] = Array.isArray(alias) ? alias : [];
  const { replacement } =
    names.find(({ find }) => find instanceof RegExp && find.test('brooklet')) ?? expect.unreachable();
  expect(normalizePath(replacement)).toMatch(/\/src\/index\.ts$/u);
  expect(existsSync(replacement)).toBe(true);
  expect(config.root).toMatch(/\/examples$/u);
});
