import { fetchTool } from 'brooklet/tools';
import { describe, expect, it } from 'vitest';
import { htmlToText } from '../../src/tools/html.ts';
import { run } from './run.ts';
import { strictPage } from './strict-page.ts';

const origin = 'https://example.com';

async function read(html: string, as?: 'text' | 'source'): Promise<unknown> {
  const fetch = async (): Promise<Response> =>
    new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8' } });
  const { output } = await run(fetchTool({ origins: [origin], fetch, ...(as && { html: as }) }), { url: origin });
  return typeof output === 'object' && output !== null && 'body' in output ? output.body : undefined;
}

describe('a web page', () => {
  it('becomes text, one line for each block', async () => {
    const page = `<!doctype html><title>The  page</title><style>p{}</style>
      <h1>Hello</h1><p>One <b>bold</b>\n word<br>next line</p><ul><li>a</li><li>b</li></ul>
      <table><tr><th>x</th><td>1</td></tr></table><svg><title>no</title></svg><!-- no -->`;
    expect(await read(page)).toBe('The page\nHello\nOne bold word\nnext line\na\nb\nx 1');
  });

  it('runs no script and loads no resource', async () => {
    const marker = `leak-${crypto.randomUUID()}`;
    const page = `<p>text</p><script>globalThis.ran = 1</script><img src="/${marker}" onerror="globalThis.ran = 1">
      <iframe src="/${marker}"></iframe><noscript>no</noscript><template>no</template><link rel="stylesheet" href="/${marker}">`;
    expect(await read(page)).toBe('text');
    expect(globalThis).not.toHaveProperty('ran');
    expect(performance.getEntriesByType('resource').filter(({ name }) => name.includes(marker))).toEqual([]);
  });

  it('may be nested to any depth', async () => {
    expect(await read(`${'<div>'.repeat(50_000)}deep`)).toBe('deep');
  });

  it('can be returned as source', async () => {
    expect(await read('<p>text</p>', 'source')).toBe('<p>text</p>');
  });
});

describe('a page that requires Trusted Types', () => {
  const requiring = async (policies: string): Promise<typeof globalThis> => {
    const { ownerDocument } = await strictPage(`require-trusted-types-for 'script'; trusted-types ${policies}`);
    return ownerDocument.defaultView!;
  };

  it('reads web pages if it allows the policy', async () => {
    const view = await requiring('brooklet-sandbox');
    for (const word of ['once', 'and again']) expect(htmlToText(`<p>${word}</p>`, view)).toBe(word);
  });

  it('gets an error with advice if it does not', async () => {
    const view = await requiring("'none'");
    expect(() => htmlToText('<p>once</p>', view)).toThrow('allow the Trusted Types policy brooklet-sandbox');
  });
});
