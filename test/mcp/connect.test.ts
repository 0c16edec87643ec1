import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import { connectMCP, MCPError } from 'brooklet/mcp';
import { pause } from '../../src/mcp/wire.ts';
import { createGate } from '../support/gate.ts';
import { until } from '../support/until.ts';
import { type Answers, discovered, sendEvents, sendJson, serveFake, tool } from './support/fake.ts';
import { approved, closeAll, connected, later } from './support/person.ts';

afterEach(closeAll);

async function served(answers: Answers): Promise<string> {
  const http = await serveFake(answers);
  later(() => http.close());
  return http.url;
}

async function errorOf(url: string, more: object = {}): Promise<MCPError> {
  const thrown: unknown = await connectMCP({ url, ...more }).catch((error: unknown) => error);
  if (thrown instanceof MCPError) return thrown;
  throw new Error(`no MCPError: ${String(thrown)}`);
}

const older: Answers = {
  'server/discover': ({ id }, response) =>
    sendJson(response, { id, error: { code: -32_601, message: 'Method not found' } }),
  initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'old' } },
  'notifications/initialized': (_request, response) => response.writeHead(202).end(),
};

describe('connecting to a server', () => {
  test.each<readonly [string, Answers[string], string, RegExp]>([
    ['401', (_request, response) => response.writeHead(401).end(), 'sign-in', /401: it wants an access token/],
    ['403', (_request, response) => response.writeHead(403).end(), 'forbidden', /allow the origin/],
    [
      'a redirect',
      (_request, response) => response.writeHead(301, { location: '/elsewhere' }).end(),
      'redirect',
      /Use the final address/,
    ],
    ['503', (_request, response) => response.writeHead(503).end(), 'failed', /try again later/],
    [
      'another version',
      ({ id }, response) =>
        sendJson(response, { id, error: { code: -32_022, message: 'no', data: { supported: ['2031-01-01'] } } }, 400),
      'version',
      /\(2031-01-01\)\. The owner of the server must support 2026-07-28 or 2025-11-25/,
    ],
  ])('that answers %s fails with one typed error that says what to do', async (_what, answer, problem, sentence) => {
    const error = await errorOf(await served({ 'server/discover': answer }));
    expect(error).toMatchObject({ name: 'AgentError', problem, message: expect.stringMatching(sentence) });
  });

  test('that is a web page names the endpoint', async () => {
    const page: Answers[string] = (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hi');
    const error = await errorOf(await served({ 'server/discover': page, initialize: page }));
    expect(error).toMatchObject({ problem: 'not-mcp', message: expect.stringMatching(/"text\/html".*\/mcp/) });
  });

  test('that speaks an older version only names its version', async () => {
    const url = await served({ ...older, initialize: { protocolVersion: '2024-11-05', capabilities: {} } });
    expect(await errorOf(url)).toMatchObject({ problem: 'version', message: expect.stringContaining('2024-11-05') });
  });

  test('that is not there', async () => {
    const http = await serveFake();
    await http.close();
    expect(await errorOf(http.url)).toMatchObject({ problem: 'unreachable', code: 'NETWORK_ERROR', retryable: true });
  });

  test('that does not let pages read it names the headers', async () => {
    const fetch: typeof globalThis.fetch = (_url, init) =>
      init?.mode === 'no-cors' ? Promise.resolve(new Response()) : Promise.reject(new TypeError('Failed to fetch'));
    const error = await errorOf('https://mcp.example.com/mcp', { fetch, headers: { 'x-own': '1' } });
    expect(error).toMatchObject({ problem: 'cors', retryable: false });
    expect(error.message).toMatch(/Access-Control-Allow-Headers: .*authorization.*mcp-method.*x-own/);
  });

  test('that allows the headers of an older revision only is connected in that revision', async () => {
    const url = await served({ ...older, 'server/discover': discovered });
    const fetch: typeof globalThis.fetch = (target, init) =>
      new Headers(init?.headers).has('mcp-method')
        ? Promise.reject(new TypeError('Failed to fetch'))
        : globalThis.fetch(target, init);
    const server = await connectMCP({ url, fetch });
    later(() => server.close());
    expect(server.version).toBe('2025-06-18');
  });

  test('that hides its session id says which header it must expose', async () => {
    const call: Answers[string] = ({ id }, response) =>
      sendJson(response, { id, error: { code: -32_000, message: 'No session' } }, 400);
    const error = await errorOf(await served({ ...older, 'tools/list': call }));
    expect(error).toMatchObject({
      problem: 'refused',
      message: expect.stringContaining('Access-Control-Expose-Headers: mcp-session-id'),
    });
  });

  test('gives up after a while', async () => {
    const url = await served({ 'server/discover': () => {} });
    const ports = { delay: (callback: () => void) => (queueMicrotask(callback), () => {}) };
    expect(await errorOf(url, { ports })).toMatchObject({
      problem: 'timeout',
      message: expect.stringContaining('30000 ms'),
    });
  });

  test.each(['ftp://a/mcp', 'http://example.com/mcp', 'nonsense', 'https://user:pass@a/mcp', 'https://a/mcp#x'])(
    'refuses %s as an address',
    async (url) => {
      await expect(connectMCP({ url })).rejects.toMatchObject({ code: 'INVALID_CONFIG' });
    },
  );

  test('accepts an address with a query, also one that the browser encodes', async () => {
    const server = await connectMCP({ url: `${await served({})}?team=a b` });
    later(() => server.close());
    expect(new URL(server.url).search).toBe('?team=a%20b');
  });

  test.each(['', 'a b', 'a__b', 'ä', 'x'.repeat(41)])('refuses %j as a name', async (name) => {
    await expect(connectMCP({ url: 'https://a.example/mcp', name })).rejects.toMatchObject({ code: 'INVALID_CONFIG' });
  });

  test('sends a token to its origin only, and never a cookie', async () => {
    const asked: string[] = [];
    const auth = (origin: string): string => (asked.push(origin), 'secret-token');
    const s = await connected(serveFake, { auth });
    expect(s.http.seen[0]?.headers).toMatchObject({ authorization: 'Bearer secret-token' });
    expect(new Set(asked)).toEqual(new Set([s.http.origin]));
    expect(s.http.seen[0]?.headers).not.toHaveProperty('cookie');
  });

  test('ends all calls when the page closes it', async () => {
    const s = await connected(() => serveFake({ 'tools/call': () => {} }));
    const ending = approved(s, 'test__look');
    await new Promise((resolve) => setImmediate(resolve));
    s.server.close();
    expect(await ending).toMatchObject({
      status: 'failed',
      output: expect.stringContaining('This page closed the connection'),
    });
    expect(s.server.getStatus()).toEqual({ state: 'closed' });
  });
});

describe('a list of tools', () => {
  test.each(['tools', 'a failure'])(
    'that is slower than a later one does not replace it: the slow one has %s',
    async (what) => {
      const held = createGate();
      let nth = 0;
      const url = await served({
        async 'tools/list'({ id }, response) {
          const mine = nth++;
          if (mine !== 1)
            return sendJson(response, { id, result: { tools: [tool({ name: mine === 0 ? 'old' : 'new' })] } });
          await held.opened;
          if (what === 'tools') return sendJson(response, { id, result: { tools: [tool({ name: 'late' })] } });
          return sendJson(response, { id, error: { code: -32_603, message: 'gone' } });
        },
      });
      const server = await connectMCP({ url, name: 'test' });
      later(() => server.close());
      const names = (): readonly string[] => server.getTools().map(({ definition }) => definition.name);
      expect(names()).toEqual(['old']);
      const seen: (readonly string[])[] = [];
      const following = server.tools$.subscribe((tools) => seen.push(tools.map(({ definition }) => definition.name)));
      const slow = server.tools();
      await until(() => expect(nth).toBe(2));
      await server.tools();
      held.open();
      if (what === 'tools') expect((await slow).map(({ name }) => name)).toEqual(['test__new']);
      else await expect(slow).rejects.toMatchObject({ name: 'AgentError' });
      expect(names()).toEqual(['new']);
      expect(seen.flat()).not.toContain('late');
      following.unsubscribe();
    },
  );
});

describe('a request that fails without an answer', () => {
  test('is repeated to learn why, without the token, cookies and the headers of the page', async () => {
    const asked: { readonly input: string; readonly init: RequestInit }[] = [];
    const error = await errorOf('https://mcp.example/mcp', {
      auth: 'secret-token',
      headers: { 'x-page': 'secret-header' },
      fetch: async (input: string, init: RequestInit = {}) => {
        asked.push({ input, init });
        if (init.mode !== 'no-cors') throw new TypeError('Failed to fetch');
        return new Response(null);
      },
    });
    expect(error.problem).toBe('cors');
    const whys = asked.filter(({ init }) => init.mode === 'no-cors');
    expect(whys.length).toBeGreaterThan(0);
    for (const { input, init } of whys) {
      expect(input).toBe('https://mcp.example/mcp');
      expect(init).toEqual({ mode: 'no-cors', credentials: 'omit', referrerPolicy: 'no-referrer' });
    }
  });
});

describe('a stream that breaks off', () => {
  test('is continued where it broke off, under a revision with a session', async () => {
    const delays: number[] = [];
    const ports = {
      delay: (callback: () => void, ms: number) => (
        ms < 10_000 && (delays.push(ms), queueMicrotask(callback)),
        () => {}
      ),
    };
    let open: unknown;
    const answers: Answers = {
      ...older,
      'tools/call': ({ id }, response) => {
        open = id;
        sendEvents(response);
        response.end('id: 7\nretry: 400\ndata:\n\n');
      },
      GET: ({ headers }, response) => {
        if (headers['last-event-id'] !== '7') return response.writeHead(405).end();
        return sendEvents(response, { id: open, result: { content: [{ type: 'text', text: 'late' }] } });
      },
    };
    const s = await connected(() => serveFake(answers), { ports });
    expect(await approved(s, 'test__look')).toMatchObject({ output: [{ text: 'late' }] });
    expect(delays).toContain(400);
  });

  test('leaves no listener behind after a pause, and does not pause for a page that has gone', async () => {
    const delays: number[] = [];
    const ports = {
      delay: (callback: () => void, ms: number) => (delays.push(ms), queueMicrotask(callback), () => {}),
    };
    const page = new AbortController();
    await pause({ ports }, 100, page.signal);
    expect(getEventListeners(page.signal, 'abort')).toEqual([]);
    page.abort(new Error('gone'));
    await expect(pause({ ports }, 200, page.signal)).rejects.toThrow('gone');
    expect(delays).toEqual([100]);
  });
});

describe('a connection', () => {
  const withSession: Answers = {
    ...older,
    initialize: ({ id }, response) => {
      response.setHeader('mcp-session-id', 'one');
      sendJson(response, { id, result: { protocolVersion: '2025-06-18', capabilities: {} } });
    },
  };

  test('ends its session with the token and the headers of every request', async () => {
    const http = await serveFake(withSession);
    later(() => http.close());
    const auth = { token: async () => 'word' };
    const server = await connectMCP({ url: http.url, auth, headers: { 'mcp-param-region': 'eu' } });
    server.close();
    const ending = (): unknown => http.seen.find(({ verb }) => verb === 'DELETE')?.headers;
    await expect
      .poll(ending)
      .toMatchObject({ authorization: 'Bearer word', 'mcp-session-id': 'one', 'mcp-param-region': 'eu' });
  });

  test('waits longer for each stream that breaks off, and a second after one with a message', async () => {
    const delays: number[] = [];
    const ports = {
      delay(callback: () => void, ms: number) {
        // 30 s is the time limit of a request.
        if (ms < 30_000) setTimeout(callback);
        if (ms < 30_000) delays.push(ms);
        return () => {};
      },
    };
    let streams = 0;
    const answers: Answers = {
      ...withSession,
      GET: (_request, response) => {
        streams += 1;
        if (streams > 4) return response.writeHead(405).end();
        sendEvents(response, ...(streams === 3 ? [{ method: 'notifications/message', params: {} }] : []));
        response.end();
      },
    };
    const url = await served(answers);
    const server = await connectMCP({ url, ports });
    later(() => server.close());
    await expect.poll(() => streams).toBe(5);
    expect(delays).toEqual([1_000, 2_000, 1_000, 2_000]);
  });

  test('uses a token that was pasted with its line end, and refuses one that no header may contain', async () => {
    const http = await serveFake();
    later(() => http.close());
    for (const auth of [' word\n', () => 'word\r\n']) (await connectMCP({ url: http.url, auth })).close();
    expect(new Set(http.seen.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer word']));
    for (const auth of ['wo\nrd', () => 'wörd'])
      await expect(connectMCP({ url: http.url, auth })).rejects.toMatchObject({
        code: 'INVALID_CONFIG',
        message: expect.stringContaining('Copy it again'),
      });
  });
});

test('a server that announces a thousand changes of its tools is asked for them once, and once more after a second', async () => {
  const timers: (() => void)[] = [];
  const delay = (callback: () => void, ms: number): (() => void) => {
    if (ms === 1_000) timers.push(callback);
    return () => {};
  };
  let lists = 0;
  const heard = createGate();
  const url = await served({
    'server/discover': { ...discovered, capabilities: { tools: { listChanged: true } } },
    'tools/list': ({ id }, response) => {
      lists += 1;
      sendJson(response, { id, result: { tools: [tool({ description: `Looks ${lists}.` })] } });
    },
    'subscriptions/listen': (_request, response) => {
      const news = { method: 'notifications/tools/list_changed' };
      sendEvents(response, ...Array.from({ length: 1_000 }, () => news));
      heard.open();
    },
  });
  const server = await connectMCP({ url, ports: { delay } });
  later(() => server.close());
  const described = () => server.getTools().map(({ definition }) => definition.description);
  await heard.opened;
  await until(() => expect(described()).toEqual(['Looks 2.']));
  await until(() => expect(timers).toHaveLength(1));
  timers.pop()?.();
  await until(() => expect(described()).toEqual(['Looks 3.']));
  // Some of the news may have come after the first pause.
  for (let last = timers.pop(); last; last = timers.pop()) last();
  await until(() => expect(described()).toEqual([`Looks ${lists}.`]));
  expect(lists).toBeLessThanOrEqual(4);
});
