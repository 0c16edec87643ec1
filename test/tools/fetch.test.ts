import { fetchTool, type FetchToolOptions } from 'brooklet/tools';
import { describe, expect, it } from 'vitest';
import { asks, run } from './run.ts';
import { engine } from '../../src/core/tools/tool.ts';

const origin = 'https://api.example.com';

interface Asked {
  readonly url: string;
  readonly init: RequestInit | undefined;
}

/** A tool, and its requests. */
function stage(
  respond: (init: RequestInit | undefined) => Response | Promise<Response>,
  options: Partial<FetchToolOptions> = {},
): { readonly asked: Asked[]; readonly tool: ReturnType<typeof fetchTool> } {
  const asked: Asked[] = [];
  const fetch: typeof globalThis.fetch = async (url, init) => {
    asked.push({ url: url instanceof Request ? url.url : String(url), init });
    return respond(init);
  };
  return { asked, tool: fetchTool({ origins: [origin], fetch, ...options }) };
}

const json = (value: unknown, init: ResponseInit = {}): Response => Response.json(value, init);
const text = (body: string, type = 'text/plain'): Response => new Response(body, { headers: { 'content-type': type } });

describe('fetchTool', () => {
  it('fetches JSON, without cookies, referrer or redirects', async () => {
    const { asked, tool } = stage(() => json({ a: 1 }));
    const { output, presentation, needsApproval } = await run(tool, { url: `${origin}/a?b=c#d` });
    expect(output).toEqual({ status: 200, contentType: 'application/json', body: { a: 1 } });
    expect(presentation.summary).toBe(`GET ${origin}/a?b=c#d → 200`);
    expect(needsApproval).toBe(false);
    expect(asked).toMatchObject([
      {
        url: `${origin}/a?b=c`,
        init: {
          method: 'GET',
          redirect: 'error',
          credentials: 'omit',
          referrerPolicy: 'no-referrer',
          cache: 'no-store',
        },
      },
    ]);
    expect(asked[0]?.init).not.toHaveProperty('body');
  });

  it('fetches text, decoded with its character set', async () => {
    const latin = (): Response =>
      new Response(new Uint8Array([0x63, 0x61, 0x66, 0xe9]), {
        headers: { 'content-type': 'text/plain; charset="ISO-8859-1"' },
      });
    const { output, presentation } = await run(stage(latin).tool, { url: origin });
    expect(output).toEqual({ status: 200, contentType: 'text/plain', body: 'café' });
    expect(presentation.details).toEqual({ type: 'text', text: 'café' });
    const odd = stage(() => text('ok', 'text/plain; charset=klingon'));
    expect((await run(odd.tool, { url: origin })).output).toMatchObject({ body: 'ok' });
  });

  it.each([
    'https://api.example.com.evil.org/',
    'https://evil.org/api.example.com',
    'https://evil.org/?https://api.example.com',
    'https://api.example.com@evil.org/',
    'https://api.example.com:8443/',
    'https://www.api.example.com/',
    'http://api.example.com/',
    'file:///etc/passwd',
    'data:text/plain,hi',
    'blob:https://api.example.com/1',
    'javascript:alert(1)',
  ])('sends no request to %s', async (url) => {
    const { asked, tool } = stage(() => text('secret'));
    await expect(run(tool, { url })).rejects.toThrow(
      /is not allowed\. Allowed origins: https:\/\/api\.example\.com\.|user name/,
    );
    expect(asked).toEqual([]);
  });

  it('rejects a URL with a user name or password, and text that is not a URL', async () => {
    const { asked, tool } = stage(() => text('x'));
    await expect(run(tool, { url: 'https://me:pw@api.example.com/' })).rejects.toThrow('user name or password');
    await expect(run(tool, { url: '/a' })).rejects.toThrow('"/a" is not an absolute URL: start with https://.');
    expect(asked).toEqual([]);
  });

  it('accepts an origin in any spelling of the URL', async () => {
    const { asked, tool } = stage(() => text('x'));
    await run(tool, { url: 'HTTPS://API.example.COM:443/A' });
    expect(asked[0]?.url).toBe(`${origin}/A`);
  });

  it.each([
    'api.example.com',
    'http://api.example.com',
    'https://api.example.com/',
    'https://*.example.com/x',
    'https://API.example.com',
    '',
  ])('cannot be created for %j', (wrong) => {
    expect(() => fetchTool({ origins: [wrong] })).toThrow('is not an https origin');
  });

  it('stops reading at its limit', async () => {
    let pulled = 0;
    let cancelled = false;
    const endless = (): Response => {
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          pulled += 1;
          controller.enqueue(new Uint8Array(1_000));
        },
        cancel() {
          cancelled = true;
        },
      });
      return new Response(body, { headers: { 'content-type': 'text/plain' } });
    };
    await expect(run(stage(endless, { maxBytes: 5_000 }).tool, { url: origin })).rejects.toThrow(
      `GET ${origin}/ was cancelled: the response has more than 5000 bytes.`,
    );
    expect(pulled).toBeLessThan(10);
    expect(cancelled).toBe(true);
  });

  it('does not read a body whose declared length exceeds the limit', async () => {
    const long = (): Response =>
      new Response('x', { headers: { 'content-type': 'text/plain', 'content-length': '9999' } });
    await expect(run(stage(long, { maxBytes: 10 }).tool, { url: origin })).rejects.toThrow('more than 10 bytes');
  });

  it('accepts exactly its limit', async () => {
    const { output } = await run(stage(() => text('12345'), { maxBytes: 5 }).tool, { url: origin });
    expect(output).toMatchObject({ body: '12345' });
  });

  it.each(['image/png', 'application/octet-stream', 'application/javascript', 'video/mp4'])(
    'does not read %s',
    async (type) => {
      await expect(run(stage(() => text('x', type)).tool, { url: origin })).rejects.toThrow(
        `answered with ${type}; only text and JSON are read.`,
      );
    },
  );

  it('does not read a response without a content type', async () => {
    const nameless = (): Response => new Response(new Uint8Array([1]));
    await expect(run(stage(nameless).tool, { url: origin })).rejects.toThrow('without a content type');
  });

  it('parses JSON of any media type, and returns invalid JSON as text', async () => {
    const body = async (response: Response): Promise<unknown> =>
      (await run(stage(() => response).tool, { url: origin })).output;
    expect(await body(text('{"a":1}', 'application/ld+json; charset=utf-8'))).toMatchObject({ body: { a: 1 } });
    expect(await body(text('{"a":', 'application/json'))).toMatchObject({ body: '{"a":' });
    expect(await body(new Response(null, { status: 204 }))).toEqual({ status: 204, contentType: '', body: '' });
  });

  it('reports the body of a failed response to the model', async () => {
    const { tool } = stage(() => json({ error: 'no such thing' }, { status: 404 }));
    await expect(run(tool, { url: `${origin}/x` })).rejects.toThrow(
      `GET ${origin}/x answered 404: {"error":"no such thing"}`,
    );
  });

  it('reports the possible causes of a failed request to the model', async () => {
    const { tool } = stage(() => Promise.reject(new TypeError('Failed to fetch')));
    await expect(run(tool, { url: origin })).rejects.toThrow('failed: the network, CORS, or a redirect');
  });

  it('does not read a redirected response, even from a fetch that follows redirects', async () => {
    const redirected = (): Response => {
      const response = text('secret');
      Object.defineProperty(response, 'redirected', { value: true });
      return response;
    };
    await expect(run(stage(redirected).tool, { url: origin })).rejects.toThrow('was redirected, which is not allowed');
  });

  it('stops on abort, before and during reading', async () => {
    const controller = new AbortController();
    const { asked, tool } = stage((init) => {
      controller.abort(new Error('cancelled'));
      return Promise.reject(new Error(`cut: ${init?.signal?.aborted}`));
    });
    await expect(run(tool, { url: origin }, { signal: controller.signal })).rejects.toThrow('cancelled');
    await expect(run(tool, { url: origin }, { signal: controller.signal })).rejects.toThrow('cancelled');
    expect(asked).toHaveLength(1);

    const reading = new AbortController();
    const body = new ReadableStream<Uint8Array>({
      pull(stream) {
        reading.abort(new Error('cancelled while reading'));
        stream.enqueue(new Uint8Array(1));
      },
    });
    const slow = stage(() => new Response(body, { headers: { 'content-type': 'text/plain' } }));
    await expect(run(slow.tool, { url: origin }, { signal: reading.signal })).rejects.toThrow(
      'cancelled while reading',
    );
  });

  it('offers GET only by default', async () => {
    const { tool } = stage(() => text('x'));
    expect(tool.inputSchema).toMatchObject({ properties: { url: {} } });
    await expect(run(tool, { url: origin, method: 'POST' })).rejects.toThrow('refused: input.method is not allowed');
    await expect(run(tool, { url: origin, body: {} })).rejects.toThrow('refused: input.body is not allowed');
    expect(tool[engine].timeout).toBe(15_000);
  });

  it('needs approval for every method but GET, and for all methods if configured', async () => {
    const { asked, tool } = stage(() => json({}), { methods: ['GET', 'POST'] });
    expect(await asks(tool, { url: origin })).toBe(false);
    expect(await asks(tool, { url: origin, method: 'POST', body: { a: 1 } })).toBe(true);
    expect(await asks(stage(() => json({}), { needsApproval: true }).tool, { url: origin })).toBe(true);
    await run(tool, { url: origin, method: 'POST', body: { a: 1 } });
    expect(asked[0]?.init).toMatchObject({
      method: 'POST',
      body: '{"a":1}',
      headers: { 'content-type': 'application/json' },
    });
  });
});
