// The tests of `npm run mutate`.

import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { alias } from '../../vite.config.ts';
import { chosenPart } from './parts.mjs';

const { name, tests } = chosenPart();

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  resolve: { alias },
  test: {
    include: [...tests],
    exclude: [
      '**/*.browser.test.ts',
      // Slow tests that find little that the others do not.
      'test/core/model/sync-model.test.ts',
      'test/storage/{node-process,planted-bugs}.test.ts',
    ],
    setupFiles: name === 'model' ? [] : ['test/setup.loaded.ts'],
    env: { PROPERTY_RUNS: '0.1', SCHEDULES: '50' },
    isolate: false,
    testTimeout: 20_000,
  },
});
