// The tests of `npm run mutate`.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { alias } from '../../vite.config.ts';

const { MUTATE_SOURCES = '', MUTATE_TESTS = '[]' } = process.env;
const sources: Readonly<Record<string, string>> = JSON.parse(readFileSync(MUTATE_SOURCES, 'utf8'));

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  resolve: { alias },
  plugins: [{ name: 'mutants', enforce: 'pre', load: (id) => sources[id] }],
  test: {
    include: JSON.parse(MUTATE_TESTS),
    exclude: ['**/*.browser.test.ts'],
    setupFiles: ['test/setup.loaded.ts'],
    env: { PROPERTY_RUNS: '0.1', SCHEDULES: '50' },
    runner: fileURLToPath(new URL('runner.ts', import.meta.url)),
    pool: 'forks',
    maxWorkers: 1,
    isolate: false,
    testTimeout: 60_000,
    dangerouslyIgnoreUnhandledErrors: true,
  },
});
