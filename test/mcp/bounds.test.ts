import { describe, expect, test } from 'vitest';
import type { JsonObject } from 'brooklet';
import { type LiveCalls, proceed } from '../../src/mcp/call.ts';
import { respond } from '../../src/mcp/exchange.ts';
import type { Peer } from '../../src/mcp/peer.ts';
import type { RequestOptions } from '../../src/mcp/exchange.ts';
import type { Wire } from '../../src/mcp/wire.ts';

const asker = { name: 'notes', host: 'notes.example' };
const question = { message: 'And?', requestedSchema: { type: 'object' } };

describe('what a server with a session asks', () => {
  test('stops the call at the eleventh question, and is not answered from then on', async () => {
    let options: RequestOptions = {};
    let answered = 0;
    const request: Peer['request'] = (_method, _params, given = {}) => {
      options = given;
      return new Promise((_resolve, reject) => {
        given.signal?.addEventListener('abort', () => reject(given.signal?.reason));
      });
    };
    const peer: Pick<Peer, 'request' | 'version'> = { version: '2025-06-18', request };
    const liveCalls: LiveCalls = new Map();
    const call = proceed(peer as Peer, { params: {}, options: {} }, asker, { key: 'k', liveCalls, repeatable: false });
    const asked = Array.from({ length: 20_000 }, () => options.onRequest?.('elicitation/create', question));
    for (const answer of asked) void answer?.then(() => (answered += 1));
    expect(await call).toMatchObject({ asked: { round: 1 } });
    // The call goes on when the person has answered the first question: it has ended.
    await expect(liveCalls.get('k')?.next()).rejects.toThrow('asked more than 10 times');
    expect(options.signal?.aborted).toBe(true);
    expect(asked.filter((answer) => answer !== undefined)).toHaveLength(11);
    expect(answered).toBe(0);
  });

  test('has no more than sixteen answers on their way', async () => {
    const open: (() => void)[] = [];
    let requests = 0;
    const fetch: typeof globalThis.fetch = () => {
      requests += 1;
      return new Promise((resolve) => open.push(() => resolve(new Response(null, { status: 202 }))));
    };
    const wire: Wire = {
      url: 'https://notes.example/mcp',
      host: 'notes.example',
      origin: 'https://notes.example',
      fetch,
      auth: undefined,
      headers: {},
      capabilities: {},
      maxBytes: 1_000_000,
      ports: { delay: () => () => {} },
      closing: new AbortController().signal,
    };
    const flood = (method: string): void => {
      for (let id = 0; id < 20_000; id += 1)
        respond(wire, {}, { jsonrpc: '2.0', id, method } satisfies JsonObject, undefined);
    };
    const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
    flood('sampling/createMessage');
    flood('ping');
    await settle();
    expect(requests).toBe(16);
    for (const answer of open.splice(0)) answer();
    await settle();
    flood('ping');
    await settle();
    expect(requests).toBe(32);
  });
});
