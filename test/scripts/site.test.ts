import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findBroken } from '../../scripts/site/links.mjs';
import { chineseGroups, groups, pageOf, sources } from '../../scripts/site/map.mjs';
import { toFrontPage, toPage } from '../../scripts/site/page.mjs';
import { toMarkdown, toReference } from '../../scripts/site/reference.mjs';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

const docs = ['docs', 'docs/zh', 'docs/decisions'].flatMap((folder) =>
  readdirSync(new URL(`../../${folder}`, import.meta.url))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${folder}/${file}`),
);

describe('the documentation site', () => {
  it('lists every page of the documentation once, under a page of its own', () => {
    const listed = [...groups, ...chineseGroups].flatMap(({ pages }) => pages);
    expect(listed.filter((source) => source.startsWith('docs/')).toSorted()).toEqual(docs.toSorted());
    const pages = sources.map((source) => pageOf(source));
    expect(new Set(pages).size).toBe(pages.length);
  });

  it.each(sources)('makes a page of %s', (source) => {
    expect(toPage(source, read(source))).not.toContain('<!--');
  });

  it('keeps links to pages, to headings and to other sites, and code as it is', () => {
    const text = 'See [tools](tools.md#limits), [here](#a), [this](https://example.com) and `[a](b.md)`.\n';
    expect(toPage('docs/react.md', text)).toBe(text);
    expect(toPage('README.md', 'See [tools](docs/tools.md#limits), [list](docs/README.md) and [more](llms.txt).')).toBe(
      'See [tools](tools.md#limits), [list](overview.md) and [more](/llms.txt).',
    );
    expect(toPage('docs/zh/README.md', '[English](../../README.md), [tools](../tools.md)')).toBe(
      '[English](../index.md), [tools](../tools.md)',
    );
    const block = '```ts\n// [a](b.md) {{ x }} <!-- no comment -->\n```';
    expect(toPage('docs/react.md', block)).toContain('// [a](b.md) {{ x }}');
  });

  it('refuses a link to a file that is no page', () => {
    expect(() => toPage('docs/react.md', 'See [error](../src/core/error.ts).')).toThrow(
      'docs/react.md links to ../src/core/error.ts, which is no page of the site.',
    );
  });

  it('makes the hero of the front page of the first lines of a README', () => {
    const labels = { start: 'Start', studio: 'Studio', other: '中文', otherLink: '/zh/' };
    for (const source of ['README.md', 'docs/zh/README.md']) {
      const page = toFrontPage(toPage(source, read(source)), labels);
      const [, hero = ''] = page.split('---\n');
      expect(JSON.parse(hero)).toMatchObject({ layout: 'home', hero: { name: 'Brooklet' } });
      expect(page).not.toMatch(/^# /m);
    }
    expect(() => toFrontPage('# Brooklet\n\nNo bold sentence.\n', labels)).toThrow('does not begin with');
  });

  it('finds links to files and to headings that are not there', () => {
    const pages = new Map([
      [
        'index.html',
        '<h2 id="start">Start</h2><a href="/guide.html#end">a</a><a href="#start">b</a><a href="studio/">c</a>',
      ],
      [
        'guide.html',
        '<a href="./index.html#begin">a</a><a href="/gone.html">b</a><img src="/images/a.png"><a href="https://x.y/z">c</a>',
      ],
      ['zh/index.html', '<a href="./../">a</a><a href="../guide.html">b</a><a href="guide.html">c</a>'],
    ]);
    const files = new Set([...pages.keys(), 'studio/index.html']);
    expect(findBroken(pages, files)).toEqual([
      'index.html: /guide.html#end: no heading end in guide.html',
      'guide.html: ./index.html#begin: no heading begin in index.html',
      'guide.html: /gone.html: no file gone.html',
      'guide.html: /images/a.png: no file images/a.png',
      'zh/index.html: guide.html: no file zh/guide.html',
    ]);
  });

  it('makes Markdown of a docstring: tags, examples, and no HTML', () => {
    const doc = `Returns a <b>.\n *\n * @param log events\n * @throws AgentError \`X<Y>\`\n *\n *     const a = <A />;\n *\n *     a();\n * @example\n * b();\n`;
    expect(toMarkdown(doc)).toBe(
      'Returns a &lt;b>.\n\n- `log`: events\n- Throws AgentError `X<Y>`\n\n```tsx\nconst a = <A />;\n\na();\n```\n\n```tsx\nb();\n```',
    );
  });

  it('makes a page of the reference for each entry, which shows a declaration once', async () => {
    const declared = {
      id: '1',
      file: 'a.d.ts',
      name: 'ask',
      declarations: [{ text: '', source: 'export declare function ask(): void;', doc: 'Asks.', mentions: [] }],
    };
    const surfaces = [
      { name: 'brooklet', exports: [{ name: 'ask', declared }] },
      { name: 'brooklet/llm', exports: [{ name: 'request', declared }] },
    ];
    const pages = await toReference({ surfaces, mentioned: [] });
    expect([...pages.keys()]).toEqual(['api/brooklet.md', 'api/llm.md', 'api/mentioned.md', 'api/index.md']);
    expect(pages.get('api/brooklet.md')).toBe(
      '# brooklet\n\n## ask\n\nAsks.\n\n```ts\nexport declare function ask(): void;\n```\n',
    );
    expect(pages.get('api/llm.md')).toContain('The same as [`ask` of `brooklet`](brooklet.md#ask).');
    expect(pages.get('api/index.md')).toContain('[ask](brooklet.md#ask)');
  });

  it('shows functions before types', async () => {
    const declare = (name: string, text: string) => ({
      name,
      declared: { id: name, file: 'a.d.ts', name, declarations: [{ text, source: text, doc: '', mentions: [] }] },
    });
    const exports = [
      declare('Agent', 'export interface Agent { id: string }'),
      declare('Json', 'export type Json = string;'),
      declare('ask', 'export declare function ask(): void;'),
    ];
    const pages = await toReference({ surfaces: [{ name: 'brooklet', exports }], mentioned: [] });
    expect(pages.get('api/brooklet.md')?.match(/^## .*$/gm)).toEqual(['## ask', '## Agent', '## Json']);
  });
});
