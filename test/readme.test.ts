import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, matchesGlob } from 'node:path/posix';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const readme = read('../README.md');
const manifest: { readonly files: readonly string[]; readonly scripts: Readonly<Record<string, string>> } = JSON.parse(
  read('../package.json'),
);

/** Lines that a user writes: neither empty nor an import. */
const ownLines = (code: string): readonly string[] =>
  code.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('import '));

test('the README shows every file of test/readme, and no other code', () => {
  const blocks = Array.from(
    readme.replace(/<!-- begin cdn -->.*?<!-- end cdn -->/s, '').matchAll(/```(?:tsx?|css|html)\n(.*?)```/gs),
    ([, code]) => code,
  );
  const files = readdirSync(new URL('readme', import.meta.url)).map((file) => read(`./readme/${file}`));
  expect(new Set(blocks)).toEqual(new Set(files));
});

const block = (file: string): string => `\`\`\`${file.split('.').at(-1)}\n${read(`./readme/${file}`)}\`\`\`\n`;

test.each([
  'README.md',
  'SKILL.md',
  'docs/react.md',
  'docs/getting-started.md',
  'docs/zh/README.md',
  'docs/zh/getting-started.md',
])('%s shows the first chat, and no other', (page) => {
  const text = read(`../${page}`);
  expect(['agent.ts', 'App.tsx'].filter((file) => !text.includes(block(file)))).toEqual([]);
  expect(text.match(/createRoot\(|<Chat\n/g)).toEqual(['<Chat\n']);
});

test('the template of React has the first chat of the README, and so has that of Next.js', () => {
  expect(read('../create-brooklet/templates/chat/src/App.tsx')).toBe(read('./readme/App.tsx'));
});

test.each([
  ['agent.ts', 2],
  ['agentWithPay.ts', 1],
  ['App.tsx', 31],
  ['Conversation.tsx', 25],
  ['plain.ts', 56],
  ['pay.ts', 7],
])('%s has at most %i lines besides imports', (file, most) => {
  expect(ownLines(read(`./readme/${file}`)).length).toBeLessThanOrEqual(most);
});

test('plain.ts is JavaScript, too: it runs in a page without a build', () => {
  expect(parseSync('plain.js', read('./readme/plain.ts')).errors).toEqual([]);
});

test('the README shows the commands of package.json', () => {
  expect(readme).toContain('npm ci && npm start');
  expect(readme).toContain('npm ci && npm test');
  expect(Object.keys(manifest.scripts)).toEqual(expect.arrayContaining(['start', 'test', 'bench', 'test:packed']));
});

const docs = ['docs', 'docs/zh', 'docs/decisions'].flatMap((folder) =>
  readdirSync(new URL(`../${folder}`, import.meta.url))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${folder}/${file}`),
);

/** npm publishes these whether `files` lists them or not. */
const always = ['README.md', 'LICENSE', 'package.json'];

const isPublished = (path: string): boolean =>
  existsSync(new URL(`../${path}`, import.meta.url)) &&
  [...always, ...manifest.files].some((pattern) => matchesGlob(path, pattern)) &&
  !manifest.files.some((pattern) => pattern.startsWith('!') && matchesGlob(path, pattern.slice(1)));

test.each(['README.md', 'SKILL.md', 'llms.txt', 'SECURITY.md', ...docs.filter(isPublished)])(
  'links of %s lead to files of the published package',
  (page) => {
    const targets = Array.from(read(`../${page}`).matchAll(/\]\((?!https:)([^)\s#]+)[^)]*\)/g), ([, path = '']) =>
      join(dirname(page), path),
    );
    expect(targets.filter((path) => !isPublished(path))).toEqual([]);
  },
);

test('the published package has the pages of users, and no paper of contributors', () => {
  const published = docs.filter(isPublished);
  expect(published).toEqual(expect.arrayContaining(['docs/README.md', 'docs/errors.md', 'docs/zh/README.md']));
  const papers = [
    'CONTRIBUTING.md',
    'docs/architecture.md',
    ...docs.filter((page) => page.startsWith('docs/decisions/')),
  ];
  expect(papers.length).toBeGreaterThan(5);
  expect(papers.filter(isPublished)).toEqual([]);
});
