import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { blocksOf } from './support/doc-blocks.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = `${root}.cache/docs/`;

const others =
  'getting-started notify ui concepts recipes errors security tabs deploy coming-from share skills mcp telemetry testing clients context providers storage worker zh/getting-started'.split(
    ' ',
  );
const pages: readonly [page: string, least: number][] = [
  ['SKILL', 1],
  ['docs/tools', 6],
  ['docs/react', 6],
  ['docs/debugging', 4],
  ...others.map((name): [string, number] => [`docs/${name}`, 1]),
];
const blocks = pages.flatMap(([page]) => blocksOf(page));

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // What blocks import from beside them: the files of the README.
  cpSync(`${root}test/readme`, folder, { recursive: true });
  for (const { file, source } of blocks) writeFileSync(`${folder}${file}`, source);
  const config = {
    extends: '../../tsconfig.json',
    compilerOptions: { incremental: false },
    include: ['*.ts', '*.tsx'],
  };
  writeFileSync(`${folder}tsconfig.json`, JSON.stringify(config));
});

afterEach(() => vi.restoreAllMocks());

test.each(pages)('%s.md shows at least %i blocks of code', (page, least) => {
  expect(blocksOf(page).length).toBeGreaterThanOrEqual(least);
});

test('each code block compiles as it is pasted', async () => {
  const tsc = promisify(execFile)('node_modules/.bin/tsc', ['-p', folder], { cwd: root, encoding: 'utf8' });
  await expect(tsc.catch(({ stdout }: { stdout: string }) => ({ stdout }))).resolves.toMatchObject({ stdout: '' });
});

test.each(blocks.filter(({ prints }) => prints !== undefined))('$file prints what its page states', async (block) => {
  const lines: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((...values) => void lines.push(values.join(' ')));
  await import(/* @vite-ignore */ `${folder}${block.file}`);
  await expect.poll(() => lines.join('\n')).toBe(block.prints);
});
