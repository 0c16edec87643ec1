import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { AgentError } from 'brooklet';
import { expect, test } from 'vitest';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

const decisionPages = readdirSync(new URL('../docs/decisions', import.meta.url)).toSorted();
const rooms = readdirSync(new URL('../src', import.meta.url)).filter((name) => !name.includes('.'));
const roomPages = rooms.map((room) => `src/${room}/README.md`);

test.each([
  'docs/architecture.md',
  'docs/glossary.md',
  'docs/debugging.md',
  'CONTRIBUTING.md',
  ...decisionPages.map((page) => `docs/decisions/${page}`),
  ...roomPages,
])('%s names only files that exist', (page) => {
  const named = Array.from(read(`../${page}`).matchAll(/`([\w./-]+\.(?:tsx?|mjs))`/g), ([, path = '']) => path);
  const isThere = (path: string): boolean =>
    ['', 'src/', `${dirname(page)}/`].some((root) => existsSync(new URL(`../${root}${path}`, import.meta.url)));
  expect(named.filter((path) => !isThere(path))).toEqual([]);
});

test('docs/architecture.md is one page with one picture', () => {
  const page = read('../docs/architecture.md');
  expect(page.split(/\s+/).length).toBeLessThanOrEqual(1_000);
  expect(page.match(/^```\w+$/gm)).toEqual(['```mermaid']);
  expect(page.split('\n').filter((line) => line.length > 200)).toEqual([]);
  expect(rooms.filter((room) => !page.includes(`| \`src/${room}\` |`))).toEqual([]);
});

/** The anchor of a heading, as GitHub makes it. */
const toAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\- ]/gu, '')
    .replaceAll(' ', '-');

function anchorsOf(page: string): readonly string[] {
  const prose = page.replaceAll(/```.*?```/gs, '');
  const headings = Array.from(prose.matchAll(/^#+ (.*)$/gm), ([, heading = '']) => toAnchor(heading));
  return [...headings, ...Array.from(prose.matchAll(/<a id="([^"]+)">/g), ([, id = '']) => id)];
}

const pages = readdirSync(new URL('../docs', import.meta.url)).filter((file) => file.endsWith('.md'));
const translations = readdirSync(new URL('../docs/zh', import.meta.url)).map((file) => `zh/${file}`);

test.each([...pages, ...translations, ...decisionPages.map((page) => `decisions/${page}`), '../CONTRIBUTING.md'])(
  'docs/%s links only to pages and headings that exist',
  (page) => {
    const links = Array.from(read(`../docs/${page}`).matchAll(/\]\(([^)\s:]+)\)/g), ([, link = '']) => link);
    const isBroken = (link: string): boolean => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? `../docs/${page}` : `../docs/${join(dirname(page), path)}`;
      if (!existsSync(new URL(target, import.meta.url))) return true;
      return anchor !== undefined && !anchorsOf(read(target)).includes(anchor);
    };
    expect(links.filter(isBroken)).toEqual([]);
  },
);

const eventTypes = new Set(
  Array.from(
    read('../src/core/model/event.ts').matchAll(/readonly type: '([a-z]+\.[a-z-]+)'/g),
    ([, type = '']) => type,
  ),
);

/**
 * The names in a text that are written as types of events, and are none: the last word is that of an event (`started`), or the first one is and
 * the last one is a participle (`reply.completed`). A name such as `message.content` is a field. Blocks of code are compiled, blocks of text are not.
 */
function noEvents(text: string): readonly string[] {
  const firsts = new Set(Array.from(eventTypes, (type) => type.split('.')[0]));
  const lasts = new Set(Array.from(eventTypes, (type) => type.split('.')[1]));
  const prose = text.replaceAll(/```(?!text\n)\w+\n.*?```/gs, '');
  const blocks = Array.from(prose.matchAll(/```text\n(.*?)```/gs), ([, block = '']) => block).join('\n');
  const inCode = prose.matchAll(/`([a-z]+)\.([a-z]+(?:-[a-z]+)*)`/g);
  const inBlocks = blocks.matchAll(/(?<![\w.])([a-z]+)\.([a-z]+(?:-[a-z]+)*)(?![\w(])/g);
  return [...inCode, ...inBlocks].flatMap(([, first = '', last = '']) => {
    const isWritten = lasts.has(last) || (firsts.has(first) && last.endsWith('ed'));
    return isWritten && !eventTypes.has(`${first}.${last}`) ? [`${first}.${last}`] : [];
  });
}

test.each([
  'README.md',
  'SKILL.md',
  'CONTRIBUTING.md',
  ...[...pages, ...translations].map((page) => `docs/${page}`),
  ...decisionPages.map((page) => `docs/decisions/${page}`),
  ...roomPages,
])('%s names only events that exist', (page) => {
  expect(noEvents(read(`../${page}`))).toEqual([]);
});

test('the check of events finds a name that is none, in prose and in a block of text', () => {
  expect(eventTypes.size).toBeGreaterThan(30);
  expect(
    noEvents('From `run.started` to `run.completed`; `message.content` is a field, and so is `error.code`.'),
  ).toEqual(['run.completed']);
  expect(noEvents('```text\nreply.started … reply.completed\n```\n')).toEqual(['reply.completed']);
  expect(noEvents('```ts\ncall.rejected;\n```\n`tool.started`')).toEqual(['tool.started']);
});

/** An entry of a page of decisions, newest first. */
interface Decision {
  readonly page: string;
  readonly number: number;
  readonly title: string;
  readonly rest: string;
}

const decisions: readonly Decision[] = decisionPages
  .filter((page) => page !== 'README.md')
  .flatMap((page) =>
    Array.from(
      read(`../docs/decisions/${page}`).matchAll(/^## (\d+)\. (.*)\n\n((?:(?!^(?:## |<a id=)).*\n?)*)/gm),
      ([, number = '', title = '', rest = '']) => ({ page, number: Number(number), title, rest }),
    ),
  );

const shape =
  /^(?<date>\d{4}-\d{2}-\d{2}) · stands(?:, changed by .+)?\n\n(?<text>[\s\S]+)\n\nA change breaks: [\s\S]+\.\n*$/;

test('each decision has a date, a status, at most 80 words, and what a change breaks', () => {
  expect(decisions.length).toBeGreaterThan(100);
  const wrong = decisions.filter(({ rest }) => {
    const prose = shape
      .exec(rest)
      ?.groups?.text?.replaceAll(/^\|.*$/gm, '')
      .split(/\s+/)
      .filter(Boolean);
    return prose === undefined || prose.length > 80;
  });
  expect(wrong.map(({ page, number }) => `${page} ${number}`)).toEqual([]);
});

test('each page of decisions has the newest one first, each with an anchor of its number', () => {
  for (const page of decisionPages) {
    const numbers = decisions.filter((decision) => decision.page === page).map(({ number }) => number);
    expect(numbers).toEqual(numbers.toSorted((one, other) => other - one));
    expect(anchorsOf(read(`../docs/decisions/${page}`))).toEqual(expect.arrayContaining(numbers.map(String)));
  }
});

test('the table of docs/decisions/README.md lists every decision once, and the next free number', () => {
  const index = read('../docs/decisions/README.md');
  const listed = Array.from(index.matchAll(/^\| \[\d+\]\(.*$/gm), ([row]) => row);
  const rows = decisions
    .toSorted((one, other) => other.number - one.number)
    .map(
      ({ page, number, title, rest }) =>
        `| [${number}](${page}#${number}) | ${title} | ${rest.slice(0, 10)} | [${page}](${page}) |`,
    );
  expect(listed).toEqual(rows);
  expect(new Set(decisions.map(({ number }) => number)).size).toBe(decisions.length);
  const [, next] = /^Next free number: (\d+)\.$/m.exec(index) ?? [];
  expect(Number(next)).toBeGreaterThan(Math.max(...decisions.map(({ number }) => number)));
});

test.each([
  ['docs/README.md', ''],
  ['llms.txt', 'docs/'],
])('%s lists every page of the package', (list, folder) => {
  const index = read(`../${list}`);
  const { files }: { readonly files: readonly string[] } = JSON.parse(read('../package.json'));
  const isLeftOut = (page: string): boolean => page === 'README.md' || files.includes(`!docs/${page}`);
  expect(pages.filter((page) => !isLeftOut(page) && !index.includes(`](${folder}${page})`))).toEqual([]);
});

test('the table of what is promised in docs/threats.md names tests that exist', () => {
  const [, section = ''] = read('../docs/threats.md').split('## What is promised\n');
  const [head, , ...rows] = Array.from(section.split('\n## ')[0]?.matchAll(/^\| (.*) \|$/gm) ?? [], ([, row = '']) =>
    row.split(' | '),
  );
  expect(head).toEqual(['attacker', 'can', 'cannot', 'test']);
  expect(rows.length).toBeGreaterThan(15);
  expect(rows.filter((row) => row.length !== 4)).toEqual([]);
  const isTest = (path: string): boolean =>
    /^test\/.+\.test\.tsx?$/.test(path) && existsSync(new URL(`../${path}`, import.meta.url));
  const wrong = rows.filter(([, , , tests = '']) => {
    const named = Array.from(tests.matchAll(/`([^`]+)`/g), ([code, path = '']) => ({ code, path }));
    const said = named.length === 0 ? 'no test' : named.map(({ code }) => code).join(', ');
    return tests !== said || !named.every(({ path }) => isTest(path));
  });
  expect(wrong.map(([attacker, , , tests]) => [attacker, tests])).toEqual([]);
});

test('docs/errors.md explains each error code once', () => {
  const source = read('../src/core/error.ts').split('export type AgentErrorCode')[1]?.split(';', 1)[0] ?? '';
  const codes = Array.from(source.matchAll(/^  \| '(\w+)'/gm), ([, code = '']) => code);
  const page = read('../docs/errors.md');
  const explained = Array.from(page.matchAll(/^\| <a id="\w+"><\/a>`([A-Z_]+)` \|/gm), ([, code = '']) => code);
  expect(codes.length).toBeGreaterThan(30);
  expect(explained.toSorted()).toEqual(codes.toSorted());

  // Listed from A to Z, each with a link to its row.
  const listed = Array.from(page.matchAll(/\[`([A-Z_]+)`\]\(#(\w+)\)/g), ([, code = '', anchor = '']) => [
    code,
    anchor,
  ]);
  expect(listed).toEqual(codes.toSorted().map((code) => [code, code.toLowerCase()]));
  for (const [code, anchor] of listed) expect(page).toContain(`<a id="${anchor}"></a>\`${code}\``);
});

test('the help of each error is its place in docs/errors.md, a file of the package', () => {
  const { name, files }: { name: string; files: readonly string[] } = JSON.parse(read('../package.json'));
  expect(files).toContain('docs/*.md');
  const page = read('../docs/errors.md');
  for (const code of ['UNKNOWN', 'STORAGE_FAILED', 'INVALID_INPUT'] as const) {
    const { help } = new AgentError('It failed.', { code });
    expect(help).toBe(`${name}/docs/errors.md#${code.toLowerCase()}`);
    expect(page).toContain(`<a id="${help.split('#')[1]}">`);
  }
});
