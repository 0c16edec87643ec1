import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
/** Code for other packages: `npm run test:packed -- peers` compiles it. */
const theirs = readdirSync(`${root}test/peers`)
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => readFileSync(`${root}test/peers/${file}`, 'utf8'));
const blocks = pages
  .flatMap(([page]) => blocksOf(page))
  .filter(({ source }) => !theirs.some((code) => source.startsWith(code)));

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

test('docs/coming-from.md shows the code for other packages, and names their versions', () => {
  const page = readFileSync(`${root}docs/coming-from.md`, 'utf8');
  const shown = page + readFileSync(`${root}docs/recipes.md`, 'utf8');
  expect(theirs.length).toBeGreaterThan(5);
  expect(theirs.filter((code) => !shown.includes(`\n${code}\`\`\`\n`))).toEqual([]);
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
    readFileSync(`${root}test/peers/package.json`, 'utf8'),
  );
  const named = Array.from(page.matchAll(/`(@?[a-z-]+(?:\/[a-z-]+)?)` (\d+\.\d+\.\d+)/g), ([, name = '', version]) => [
    name,
    version,
  ]);
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter(([name = '', version]) => dependencies[name] !== version)).toEqual([]);
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
