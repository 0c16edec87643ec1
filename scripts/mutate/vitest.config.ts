// The tests of `npm run mutate`.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { alias } from '../alias.mjs';
import { listAloneInNode, listWithDatabase } from '../alone.mjs';

const { MUTATE_SOURCES = '', MUTATE_TESTS = '[]' } = process.env;
const sources: Readonly<Record<string, string>> = JSON.parse(readFileSync(MUTATE_SOURCES, 'utf8'));
const tests: readonly string[] = JSON.parse(MUTATE_TESTS);
// A mutant may leave a database as no other file expects it.
const alone = [...listAloneInNode(), ...listWithDatabase()];

const isPage = (file: string): boolean => file.endsWith('.tsx');
const setup = 'scripts/mutate/setup.ts';

/** As the projects `node`, `node-alone` and `jsdom`: each list may be empty. */
const lists = [
  {
    name: 'shared',
    isolate: false,
    include: tests.filter((file) => !alone.includes(file) && !isPage(file)),
    setupFiles: [setup],
  },
  { name: 'alone', isolate: true, include: tests.filter((file) => alone.includes(file)), setupFiles: [setup] },
  {
    name: 'page',
    isolate: true,
    environment: 'jsdom',
    include: tests.filter(isPage),
    setupFiles: ['test/setup.jsdom.ts', setup],
  },
].filter(({ include }) => include.length > 0);

/** The order of the part. */
class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification): number => tests.findIndex((test) => moduleId.endsWith(test));
    return files.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  resolve: { alias },
  plugins: [{ name: 'mutants', enforce: 'pre', load: (id) => sources[id] }],
  test: {
    // One process at a time: the next one reads from the report what the one before has noticed.
    maxWorkers: 1,
    sequence: { sequencer: InOrder },
    dangerouslyIgnoreUnhandledErrors: true,
    projects: lists.map((list) => ({
      extends: true,
      test: {
        ...list,
        // Not setup.shared.ts: `npm test` checks that a file leaves nothing changed, and a mutant may prevent it from tidying up.
        env: { PROPERTY_RUNS: '0.1', SCHEDULES: '50' },
        runner: fileURLToPath(new URL('runner.ts', import.meta.url)),
        pool: 'forks',
        // A mutant often makes a test wait for ever. None that is repeated takes more than a quarter of a second.
        testTimeout: 10_000,
      },
    })),
  },
});
