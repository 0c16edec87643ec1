import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createGraph } from '../../scripts/graph.mjs';
import { seedOf } from '../../scripts/nights.mjs';
import {
  everyday,
  fewer,
  isInTenth,
  listAllSets,
  listLongFiles,
  longFiles,
  planFor,
} from '../../scripts/test-sets.mjs';
import { listTests } from '../../scripts/wants-browser.mjs';

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

const long = listLongFiles();
const sets = await listAllSets();
const graph = createGraph();
const commit = 'a7737972';
const namesOf = (some: readonly { readonly kind: string; readonly name: string }[]): readonly string[] =>
  some.map(({ kind, name }) => `${kind} ${name}`);

/** What a landing plays because of a change of these files. */
const reachedBy = (...files: readonly string[]): readonly string[] =>
  namesOf(planFor(sets, { files }, commit, graph).reached);

test('every file that npm test leaves out is a set of the night', () => {
  expect(longFiles.filter((file) => !listTests().includes(file))).toEqual([]);
  expect(long).toEqual(expect.arrayContaining([...longFiles]));
  expect(namesOf(sets)).toEqual(expect.arrayContaining(long.map((file) => `long ${file}`)));
});

test.each(Object.entries(fewer))('npm test plays fewer %s than the night', (name, number) => {
  const files = long.filter((file) => read(file).includes(`env.${name}`));
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) {
    const full = new RegExp(`env\\.${name} \\?\\? ([\\d_]+)`).exec(read(file))?.[1]?.replace('_', '');
    expect(Number(full)).toBeGreaterThan(Number(number));
  }
});

test('the night plays every property test that runs a share of its cases in npm test', () => {
  const shared = listTests().filter(
    (file) => !file.includes('.browser.') && /^import .*seeded\b.*from/m.test(read(file)),
  );
  expect(shared.length).toBeGreaterThan(20);
  expect(shared.filter((file) => !long.includes(file))).toEqual([]);
});

test('npm test leaves a file with small numbers out only where the landing plays it in full', () => {
  const leftBy = (...played: readonly string[]) => everyday(played).variables.TEST_EXCLUDE.split(',');
  expect(leftBy()).toEqual(longFiles);
  expect(leftBy('test/corpus.test.ts')).toEqual([...longFiles, 'test/corpus.test.ts']);
  // It measures the coverage.
  expect(leftBy('test/behaviour/schedules.test.ts')).toEqual(longFiles);
});

test('no long file is of a project that the landing does not name', () => {
  expect(long.filter((file) => file.endsWith('.test-d.ts'))).toEqual([]);
});

describe('a change', () => {
  test('of texts reaches no set', () => {
    expect(reachedBy('docs/storage.md', 'docs/zh/README.md', 'CHANGELOG.md', 'bench/results.json')).toEqual([]);
    expect(reachedBy('.ci/landed.json', '.ci/nights.json')).toEqual([]);
  });

  test('of a test reaches that test alone, compiled or not', () => {
    expect(reachedBy('test/e2e/kills.test.ts')).toEqual(['long test/e2e/kills.test.ts']);
    expect(reachedBy('test/react/useChat.test.tsx')).toEqual(['compiled test/react/useChat.test.tsx']);
  });

  test('of Studio reaches its pages, and no page without Studio', () => {
    const reached = reachedBy('demo/src/texts/en/common.ts', 'demo/src/shell/rooms.ts');
    for (const name of ['axe', 'keyboard', 'rooms', 'review-views', 'offline', 'nats-devices'])
      expect(reached).toContain(`long test/e2e/${name}.test.ts`);
    for (const name of ['kills', 'interleavings', 'chat', 'nats-replica'])
      expect(reached).not.toContain(`long test/e2e/${name}.test.ts`);
    expect(reached.filter((name) => name.startsWith('packed') || name.includes('simulation'))).toEqual([]);
  });

  test('of the store over NATS reaches its cluster, devices and consumers, and no simulation', () => {
    const reached = reachedBy('src/sync/nats/logs.ts');
    for (const name of ['long test/nats/cluster.test.ts', 'long test/e2e/nats-devices.test.ts', 'packed node'])
      expect(reached).toContain(name);
    expect(
      reached.filter((name) => /simulation|kills|interleavings|replica\/devices|^compiled test\/react/.test(name)),
    ).toEqual([]);
  });

  test.each([
    ['src/core/model/next.ts', 'long test/simulation/simulation.test.ts'],
    ['src/core/model/next.ts', 'long test/simulation/planted-bugs.test.ts'],
    ['src/storage/indexeddb/commit.ts', 'long test/e2e/kills.test.ts'],
    ['src/storage/indexeddb/commit.ts', 'long test/e2e/interleavings.test.ts'],
    ['src/storage/indexeddb/commit.ts', 'long test/storage/planted-bugs.test.ts'],
    ['src/sync/replica/plan.ts', 'long test/replica/devices.test.ts'],
    ['src/sync/replica/plan.ts', 'long test/replica/planted-bugs.test.ts'],
    ['src/sync/devices/vet.ts', 'long test/replica/hostile.test.ts'],
    ['src/sync/nats/jetstream.ts', 'long test/nats/cluster.test.ts'],
    ['src/react/useChat.ts', 'compiled test/react/useChat.test.tsx'],
    ['src/react/useChat.ts', 'long test/e2e/demo.test.ts'],
    ['src/viewer/main.tsx', 'long test/e2e/html-export.test.ts'],
    ['demo/src/main.tsx', 'long test/e2e/axe.test.ts'],
    ['test/corpus/expected.json', 'long test/corpus.test.ts'],
    ['create-brooklet/index.js', 'packed create-react'],
    ['examples/vite.config.js', 'packed examples'],
    ['scripts/simulation/bundle.mjs', 'long test/simulation/simulation.test.ts'],
  ])('of %s reaches %s', (file, name) => {
    expect([file, existsSync(new URL(`../../${file}`, import.meta.url))]).toEqual([file, true]);
    expect(reachedBy(file)).toContain(name);
  });

  test.each([
    'package-lock.json',
    'package.json',
    'vite.config.ts',
    'scripts/alias.mjs',
    'test/support/stage.ts',
    'test/e2e/support/stage.ts',
    'demo/src/styles/base.css',
    'demo/index.html',
    '.ci/run',
    'scripts/test-sets.mjs',
    'demo/public/removed.json',
  ])('of %s reaches every set', (file) => {
    expect(reachedBy(file)).toHaveLength(sets.length);
  });

  test('that is unknown reaches every set', () => {
    const { reached, reason } = planFor(sets, {}, commit, graph);
    expect(reached).toHaveLength(sets.length);
    expect(reason).toContain('unknown');
  });
});

describe('the tenth', () => {
  test('is another one for each commit, and in the end every set', () => {
    const commits = Array.from({ length: 200 }, (_, nth) => `commit ${nth}`);
    const chosen = commits.map((one) => sets.filter((set) => isInTenth(one, set)));
    const mean = chosen.reduce((sum, { length }) => sum + length, 0) / commits.length;
    expect(mean / sets.length).toBeGreaterThan(0.08);
    expect(mean / sets.length).toBeLessThan(0.12);
    expect(new Set(chosen.flat()).size).toBe(sets.length);
  });

  test('is played beside what is reached, and none of it twice', () => {
    const { reached, tenth } = planFor(sets, { files: ['src/sync/nats/logs.ts'] }, commit, graph);
    expect(tenth.length).toBeGreaterThan(0);
    expect(tenth.filter((set) => reached.includes(set))).toEqual([]);
  });
});

test('the seeds of a night begin where those of the night before have ended', () => {
  expect(seedOf(20_785) - seedOf(20_784)).toBe(10_000);
  expect(seedOf(200_000)).toBeLessThan(2 ** 31);
  expect(() => seedOf(Number.NaN)).toThrow('A night is');
});
