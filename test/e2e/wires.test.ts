import type { ServerResponse } from 'node:http';
import { LLMock } from '@copilotkit/aimock';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Received, startServer, type TestServer } from '../support/llm-server.ts';
import type { Outcome, Question, WireName } from './support/asking/main.ts';
import { startFrugalBrowser, type Tab } from './support/browser.ts';
import { closeCleanly } from './support/clean.ts';
import { eventually } from './support/eventually.ts';
import { findDeadPort } from './support/server.ts';
import { during, setSite } from './support/stage.ts';

const wires: readonly WireName[] = ['chat completions', 'Responses', 'Messages'];
const rivers = 'Rivers begin small 🏞️, in 山 and moor, and grow by what joins them: “déjà vu”, says the sea.';
/** The message of any browser in the console for a failed request. */
const complaint = /Failed to load resource|blocked by CORS policy|ERR_/;

let tab: Tab;
let mock: LLMock;
let mockURL: string;
const servers: TestServer[] = [];

const site = setSite(new URL('support/asking', import.meta.url));
const browser = during(startFrugalBrowser, (its) => its.close());

beforeAll(async () => {
  tab = await browser().open(site().freshURL());
  tab.expectProblem(complaint);
  mock = new LLMock({ host: '127.0.0.1', port: 0, strict: true, logLevel: 'silent' });
  mockURL = `${await mock.start()}/v1`;
});

afterAll(async () => {
  await closeCleanly(browser());
  await mock?.stop();
});

afterEach(async () => {
  mock.clearChaos();
  mock.reset();
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

function ask(question: Question): Promise<Outcome> {
  return tab.page.evaluate((given) => globalThis.ask(given), question);
}

const allowing = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers':
    'authorization, content-type, accept, x-api-key, anthropic-version, anthropic-dangerous-direct-browser-access',
};

/** A server of this test. Preflights are answered here, so that `answer` receives only the requests. */
async function serve(
  answer: (response: ServerResponse, request: Received) => void,
  headers: object = allowing,
): Promise<TestServer> {
  const server = await startServer((response, request) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, String(value));
    if (request.method === 'OPTIONS') response.writeHead(204).end();
    else answer(response, request);
  });
  servers.push(server);
  return server;
}

const asked = ({ requests }: TestServer): number => requests.filter(({ method }) => method !== 'OPTIONS').length;

const data = (...events: readonly object[]): string =>
  events
    .map((event) => `event: ${'type' in event ? String(event.type) : 'message'}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');

/** One piece of text, and the end of the answer, in the format of each wire. */
const says: Record<WireName, readonly [(text: string) => string, string]> = {
  'chat completions': [
    (content) => data({ choices: [{ index: 0, delta: { content } }] }),
    `${data({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}data: [DONE]\n\n`,
  ],
  Ollama: [(content) => data({ choices: [{ index: 0, delta: { content } }] }), 'data: [DONE]\n\n'],
  Responses: [
    (delta) => data({ type: 'response.output_text.delta', output_index: 0, delta }),
    data({ type: 'response.completed', response: { status: 'completed' } }),
  ],
  Messages: [
    (text) => data({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
    data({ type: 'message_delta', delta: { stop_reason: 'end_turn' } }, { type: 'message_stop' }),
  ],
};

function begin(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(text);
}

describe.each(wires)('a page that sends a request to aimock by %s', (wire) => {
  const question = (more: Partial<Question> = {}): Question => ({
    wire,
    baseURL: mockURL,
    text: 'Tell me of rivers.',
    ...more,
  });

  it('receives the answer and its usage', async () => {
    const usage =
      wire === 'chat completions'
        ? { prompt_tokens: 11, completion_tokens: 5 }
        : { input_tokens: 11, output_tokens: 5 };
    mock.onMessage('rivers', { content: rivers, usage }, { chunkSize: 7 });
    const outcome = await ask(question());
    expect(outcome).toEqual({ text: rivers, calls: [], usage: { input: 11, output: 5 }, finish: 'stop', retried: 0 });
  });

  it('receives two tool calls', async () => {
    mock.onMessage('rivers', {
      toolCalls: [
        { name: 'add', arguments: '{"a":2,"b":3}' },
        { name: 'add', arguments: '{"a":5,"b":8}' },
      ],
    });
    expect(await ask(question({ tools: true }))).toMatchObject({
      calls: ['add {"a":2,"b":3}', 'add {"a":5,"b":8}'],
      finish: 'tool-calls',
    });
  });

  it.each<[string, Parameters<LLMock['setChaos']>[0], object]>([
    ['a 500', { dropRate: 1 }, { code: 'LLM_API_ERROR', status: 500, retryable: true }],
    ['a malformed answer', { malformedRate: 1 }, { code: 'STREAM_MALFORMED', retryable: false }],
    // A cross-origin page can read Retry-After only if the server exposes the header; this server does not.
    ['a 429 with Retry-After', { rateLimitRate: 1 }, { code: 'RATE_LIMIT_EXCEEDED', status: 429, retryable: true }],
    ['a connection that is cut before the answer', { disconnectRate: 1 }, { code: 'NETWORK_ERROR', retryable: true }],
  ])('reports the error after %s', async (_, chaos, error) => {
    mock.onMessage('rivers', { content: rivers });
    mock.setChaos(chaos);
    expect(await ask(question())).toMatchObject({ text: '', error });
  });

  it('keeps the received text when the connection is cut in the middle', async () => {
    mock.onMessage('rivers', { content: rivers }, { chunkSize: 7, latency: 20, truncateAfterChunks: 8 });
    const outcome = await ask(question());
    expect(outcome.error).toMatchObject({ code: 'STREAM_INTERRUPTED', retryable: outcome.text === '' });
    expect(rivers.startsWith(outcome.text)).toBe(true);
    expect(outcome.finish).toBeUndefined();
  });

  it('retries after a 429, and receives the answer once', async () => {
    mock.on({ userMessage: 'rivers', sequenceIndex: 0 }, { error: { message: 'Slow down.' }, status: 429 });
    mock.on({ userMessage: 'rivers', sequenceIndex: 1 }, { content: rivers });
    expect(await ask(question({ retries: 3 }))).toMatchObject({ text: rivers, finish: 'stop', retried: 1 });
  });

  it('retries no more often than configured, and ends with the error', async () => {
    mock.onMessage('rivers', { content: rivers });
    mock.setChaos({ dropRate: 1 });
    expect(await ask(question({ retries: 2 }))).toMatchObject({ retried: 2, error: { code: 'LLM_API_ERROR' } });
    expect(mock.getRequests()).toHaveLength(3);
  });
});

describe.each(wires)('a page that sends a request to a custom server by %s', (wire) => {
  const [piece, end] = says[wire];

  it('closes the socket when the run is stopped in the middle of an answer', async () => {
    const server = await serve((response) => begin(response, piece('Rivers begin')));
    const question: Question = { wire, baseURL: server.url, text: 'rivers' };
    await tab.page.evaluate((given) => void globalThis.ask(given), question);
    await eventually(() => tab.page.textContent('output')).toBe('Rivers begin');
    // The server is silent now: only an abort can close the connection.
    const stopped = await tab.page.evaluate(() => globalThis.halt());
    await server.closedEarly;
    console.info(`${wire}: stop → socket closed: ${Date.now() - stopped} ms`);
    expect(asked(server)).toBe(1);
    expect(await tab.page.textContent('output')).toBe('Rivers begin');
  });

  it('closes the socket when the run is stopped before the answer', async () => {
    const server = await serve(() => {});
    await tab.page.evaluate((given) => void globalThis.ask(given), { wire, baseURL: server.url, text: 'rivers' });
    await eventually(() => asked(server)).toBe(1);
    const stopped = await tab.page.evaluate(() => globalThis.halt());
    await server.closedEarly;
    console.info(`${wire}: stop → socket closed, before the answer: ${Date.now() - stopped} ms`);
  });

  it('reads an answer that arrives byte by byte', async () => {
    const bytes = Buffer.from(piece('Déjà 山 🏞️') + piece(' vu.') + end);
    const server = await serve((response) => {
      begin(response, '');
      let at = 0;
      const drip = (): void => {
        if (at === bytes.length) response.end();
        else response.write(bytes.subarray(at, (at += 1)), () => setImmediate(drip));
      };
      drip();
    });
    expect(await ask({ wire, baseURL: server.url, text: 'rivers' })).toMatchObject({
      text: 'Déjà 山 🏞️ vu.',
      finish: 'stop',
    });
  });

  it('times out if a server never answers', async () => {
    const server = await serve(() => {});
    const { error } = await ask({ wire, baseURL: server.url, text: 'rivers', timeouts: { first: 1_000 } });
    expect(error).toMatchObject({ code: 'REQUEST_TIMEOUT', retryable: true });
    await server.closedEarly;
  });

  it('times out if a server falls silent, and keeps the received text', async () => {
    const server = await serve((response) => begin(response, piece('Rivers')));
    const outcome = await ask({ wire, baseURL: server.url, text: 'rivers', timeouts: { idle: 200 } });
    expect(outcome).toMatchObject({ text: 'Rivers', error: { code: 'REQUEST_TIMEOUT', retryable: false } });
    await server.closedEarly;
  });

  it('follows no redirect, so that the key is not sent to another server', async () => {
    const other = await serve((response) => response.end(piece('Rivers') + end));
    const server = await serve((response, { path }) => {
      response.writeHead(307, { location: new URL(path, other.url).href }).end();
    });
    const { error } = await ask({ wire, baseURL: server.url, text: 'rivers' });
    expect(error).toMatchObject({ code: 'NETWORK_ERROR' });
    expect(other.requests).toHaveLength(0);
  });

  it('states that a server may reject requests from pages, if it does', async () => {
    const server = await serve((response) => response.end(piece('Rivers') + end), {});
    const { error } = await ask({ wire, baseURL: server.url, text: 'rivers' });
    expect(error).toMatchObject({ code: 'NETWORK_ERROR' });
    expect(error?.message).toMatch(/CORS/);
    expect(asked(server)).toBe(0);
  });
});

describe('a page that sends a request to a custom server', () => {
  const [piece, end] = says['chat completions'];

  it('explains how to configure Ollama, with the page’s own origin', async () => {
    const server = await serve(() => {}, {});
    const { error } = await ask({ wire: 'Ollama', baseURL: server.url, text: 'rivers' });
    const { origin, host } = new URL(tab.page.url());
    expect(host).toMatch(/localhost/);
    expect(error?.message).toContain(`OLLAMA_ORIGINS=${origin} ollama serve`);
  });

  it('reports that no server listens at the address of Ollama', async () => {
    const baseURL = `http://127.0.0.1:${await findDeadPort()}/v1`;
    const { error } = await ask({ wire: 'Ollama', baseURL, text: 'rivers' });
    expect(error?.message).toContain('Is Ollama running?');
  });

  it('respects an exposed Retry-After', async () => {
    const server = await serve((response) => response.writeHead(429, { 'retry-after': '2' }).end('{}'), {
      ...allowing,
      'access-control-expose-headers': 'retry-after',
    });
    const { error } = await ask({ wire: 'chat completions', baseURL: server.url, text: 'rivers' });
    expect(error).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', retryAfter: 2_000 });
  });

  it('times out if a server sends only keep-alive comments', async () => {
    const server = await serve((response) => {
      begin(response, '');
      const beat = setInterval(() => response.write(': alive\n\n'), 20);
      response.once('close', () => clearInterval(beat));
    });
    const timeouts = { stall: 1_000 };
    const { error } = await ask({ wire: 'chat completions', baseURL: server.url, text: 'rivers', timeouts });
    expect(error?.message).toContain('timeouts.stall');
    await server.closedEarly;
  });

  it('aborts a line that does not end, and keeps the received text', async () => {
    let sent = 0;
    const server = await serve((response) => {
      begin(response, `${piece('Rivers')}data: `);
      const line = 'x'.repeat(256 * 1024);
      const more = (): void => void response.write(line, (error) => error ?? ((sent += line.length), more()));
      more();
    });
    expect(await ask({ wire: 'chat completions', baseURL: server.url, text: 'rivers' })).toMatchObject({
      text: 'Rivers',
      error: { code: 'STREAM_TOO_LARGE', retryable: false },
    });
    await server.closedEarly;
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  it.each<[string, (response: ServerResponse) => void, object]>([
    ['a web page', (response) => response.end('<!doctype html><title>Sign in</title>'), { code: 'STREAM_MALFORMED' }],
    ['nothing', (response) => response.end(), { code: 'STREAM_INTERRUPTED', retryable: true }],
    [
      'an error in the middle',
      (response) => begin(response, `${piece('Rivers')}data: {"error":{"message":"Overloaded"}}\n\n`),
      { code: 'OVERLOADED' },
    ],
  ])('recognizes %s', async (_, answer, error) => {
    const server = await serve(answer);
    expect(await ask({ wire: 'chat completions', baseURL: server.url, text: 'rivers' })).toMatchObject({ error });
  });

  it('accepts a whole completion as an answer', async () => {
    const server = await serve((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ choices: [{ message: { content: rivers }, finish_reason: 'stop' }] }));
    });
    const outcome = await ask({ wire: 'chat completions', baseURL: server.url, text: 'rivers' });
    expect(outcome).toMatchObject({ text: rivers, finish: 'stop' });
  });

  it('completes at the end mark, even if the server keeps the connection open', async () => {
    const server = await serve((response) => begin(response, piece(rivers) + end));
    const outcome = await ask({ wire: 'chat completions', baseURL: server.url, text: 'rivers' });
    expect(outcome).toMatchObject({ text: rivers, finish: 'stop' });
    await server.closedEarly;
  });

  it('lists its models', async () => {
    const server = await serve((response) => response.end('{"data":[{"id":"m-1"},{"id":"m-2"}]}'));
    expect(await tab.page.evaluate((url) => globalThis.list(url), server.url)).toEqual(['m-1', 'm-2']);
    expect(await tab.page.evaluate((url) => globalThis.list(url), (await serve(() => {}, {})).url)).toEqual([
      'NETWORK_ERROR',
    ]);
  });
});
