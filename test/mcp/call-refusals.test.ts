import { describe, expect, test, vi } from 'vitest';
import { type Json, type JsonObject, toJson } from '../../src/core/json.ts';
import { interfaceKey } from '../../src/core/model/interface-of.ts';
import type { Message, ToolPart } from '../../src/core/model/message.ts';
import { createAgent } from 'brooklet';
import { connectMCP } from 'brooklet/mcp';
import { createScriptedClient, reply } from 'brooklet/testing';
import { withMCPApps } from 'brooklet/mcp/apps';
import { BehaviorSubject, lastValueFrom, toArray } from 'rxjs';
import { toMetadata } from '../../src/mcp/apps/app-call.ts';
import { createAppVerbs } from '../../src/mcp/apps/verbs.ts';
import { proceed } from '../../src/mcp/call.ts';
import { readTools } from '../../src/mcp/definition.ts';
import { Trouble } from '../../src/mcp/errors.ts';
import { exchange, stateless } from '../../src/mcp/exchange.ts';
import { explain } from '../../src/mcp/explain.ts';
import { listen } from '../../src/mcp/listen.ts';
import { getPrompt, listPrompts, listResources, readContents } from '../../src/mcp/offers.ts';
import { connectPeer, type Peer } from '../../src/mcp/peer.ts';
import { readQuestions, toElicitation } from '../../src/mcp/question.ts';
import { runCall } from '../../src/mcp/run-call.ts';
import { createToolbox } from '../../src/mcp/toolbox.ts';
import type { Execution } from '../../src/mcp/tool-env.ts';
import { openStream, type Wire } from '../../src/mcp/wire.ts';
import { createGate } from '../support/gate.ts';
import { untyped } from '../support/untyped.ts';
import { tool } from './support/fake.ts';
import { answer, asker, textOf, url, wired } from './support/wired.ts';

// Without a network, as refusals.test.ts: calls, and what a connection does when it breaks.

const statelessVersion = '2026-07-28';
const settle = () => new Promise((resolve) => setTimeout(resolve));
const signal = new AbortController().signal;

/** Timers that end at once. The tenth one ends the work, which would go on for ever. */
function atOnce(ended?: AbortController): Wire['ports'] {
  let timers = 0;
  return {
    delay(callback) {
      timers += 1;
      if (timers === 10) ended?.abort(new Error('The work does not end.'));
      callback();
      return () => {};
    },
  };
}

/** A peer that answers with these results in turn. */
function peerOf(version: string, results: readonly JsonObject[], capabilities: JsonObject = { tools: {} }) {
  const requests: (readonly [method: string, params: JsonObject])[] = [];
  const options: Parameters<Peer['request']>[2][] = [];
  const peer: Peer = untyped({
    version,
    capabilities,
    request: async (method: string, params: JsonObject, more: Parameters<Peer['request']>[2]) => {
      requests.push([method, params]);
      options.push(more);
      return results[Math.min(requests.length, results.length) - 1] ?? expect.unreachable();
    },
  });
  return { peer, requests, options };
}

describe('what a call keeps for its interface', () => {
  const properties = { city: {}, size: {} };
  const header = (name: string, type: string) => ({ type, 'x-mcp-header': name });

  /** Calls a tool of a server. Resolves with what its interface gets, and with the headers of the request. */
  async function run(result: JsonObject, item: JsonObject = {}, input: JsonObject = {}, call: Partial<ToolPart> = {}) {
    const { peer, options } = peerOf(statelessVersion, [result]);
    const [read] = readTools([tool(item)]).tools;
    const execution: Execution = { call: untyped({ callId: 'c', status: 'started', ...call }) };
    const reported: Json[] = [];
    const env = untyped({ peer, asker, liveCalls: new Map() });
    const context = untyped({ signal, idempotencyKey: 'k', progress: (one: Json) => void reported.push(one) });
    const version = untyped({ ...(read ?? expect.unreachable()) });
    const output = await runCall(untyped(env), untyped(version), {
      input,
      context: untyped(context),
      repeatable: false,
      execution,
    });
    return { output, ending: execution.ending, options: options[0], reported };
  }
  const shown = { structuredContent: { warm: true }, _meta: { source: 'station' } };
  const ui: JsonObject = { _meta: { ui: { resourceUri: 'ui://weather' } } };

  test('is what its output leaves out, where the tool has an interface, or one has asked', async () => {
    const details = { type: 'json', value: shown };
    expect((await run(shown)).ending).toEqual({});
    expect((await run(shown, ui)).ending).toEqual({ details });
    const asked = { provider: { [interfaceKey]: { view: 'v' } } };
    expect((await run(shown, {}, {}, asked)).ending).toEqual({ details, requiresFollowUp: false });
  });

  test('is nothing where there is nothing, or more than a hundred thousand characters', async () => {
    expect((await run({ content: [] }, ui)).ending).toEqual({});
    const sized = (length: number) => {
      const of = (pad: string) => ({ structuredContent: { pad } });
      return of('x'.repeat(length - JSON.stringify(of('')).length));
    };
    const least = { structuredContent: 1 };
    expect((await run(least, ui)).ending).toEqual({ details: { type: 'json', value: least } });
    expect((await run(sized(100_000), ui)).ending).toHaveProperty('details');
    expect((await run(sized(100_001), ui)).ending).toEqual({});
  });

  test.each<readonly [input: JsonObject, headers: object]>([
    [{ city: 'Oslo' }, { 'mcp-param-city': 'Oslo' }],
    [
      { city: 7, size: true },
      { 'mcp-param-city': '7', 'mcp-param-size': 'true' },
    ],
    [{ city: null }, {}],
    [{ city: ['Oslo'], size: { a: 1 } }, {}],
    [{ place: { street: 'A 1' } }, { 'mcp-param-street': 'A 1' }],
    [{ place: { street: false } }, { 'mcp-param-street': 'false' }],
    [{ place: 'Oslo' }, {}],
    [{ place: null }, {}],
    [{}, {}],
  ])('%j is sent with the headers %j', async (input, headers) => {
    const schema = {
      type: 'object',
      properties: {
        ...properties,
        city: header('City', 'string'),
        size: header('size', 'boolean'),
        place: { type: 'object', properties: { street: header('Street', 'string') } },
        constructor: header('maker', 'string'),
        name: { type: 'object', properties: { length: header('length', 'integer') } },
      },
    };
    // Neither members of a prototype nor those of a text are parameters.
    const { options } = await run({}, { inputSchema: schema }, { name: 'Ann', ...input });
    expect(options?.headers).toEqual(headers);
  });

  test('is reported ten thousand times at most', async () => {
    const { options, reported } = await run({});
    for (let nth = 0; nth < 10_001; nth += 1) options?.onProgress?.({ progress: nth });
    expect(reported).toHaveLength(10_000);
  });
});

describe('a call that was answered', () => {
  const question = { method: 'elicitation/create', params: { message: 'Sure?', requestedSchema: { properties: {} } } };
  const elicitation = toElicitation(readQuestions({ inputRequests: { a: question } }, 1, asker), asker);
  const request = { params: { name: 'pay' }, options: {} };
  const context = { key: 'k', liveCalls: new Map(), repeatable: false };
  const answeredAs = (status: string): ToolPart => untyped({ status, approval: { elicitation, answer: {} } });

  test.each([
    ['approved', true],
    ['edited', true],
    ['uncertain', false],
    ['started', false],
  ])('sends its answer as %s: %s', async (status, isSent) => {
    const { peer, requests } = peerOf(statelessVersion, [{ content: [] }]);
    await proceed(peer, request, asker, context, answeredAs(status));
    expect(requests).toHaveLength(1);
    expect('inputResponses' in (requests[0]?.[1] ?? {})).toBe(isSent);
  });

  test('is asked nothing but questions for the person, over a connection that stays open', async () => {
    const { peer, options } = peerOf('2025-06-18', [{ content: [] }]);
    await proceed(peer, request, asker, { ...context, liveCalls: new Map() });
    const [{ onRequest } = {}] = options;
    expect(onRequest?.('sampling/createMessage', {})).toBeUndefined();
    expect(onRequest?.('elicitation/create', question.params)).toBeInstanceOf(Promise);
  });
});

describe('the tools of a server', () => {
  const listOf = (...items: readonly JsonObject[]) => ({ tools: items });

  function boxed(
    results: readonly JsonObject[],
    memory?: { get: () => Promise<Json | undefined>; update: () => Promise<void> },
  ) {
    const { peer } = peerOf(statelessVersion, results);
    return createToolbox({ options: { url, ...(memory && { memory: untyped(memory) }) }, peer, url, asker });
  }

  test('are the same in the next list, unless they have changed', async () => {
    const box = boxed([listOf(tool(), tool({ name: 'b' })), listOf(tool(), tool({ name: 'b', description: 'New.' }))]);
    const [look, b] = await box.list();
    const [again, changed] = await box.list();
    expect(again).toBe(look);
    expect(changed?.tool).not.toBe(b?.tool);
  });

  test('are added once, and those that have changed again', async () => {
    const first = listOf(tool(), tool({ name: 'b' }));
    const box = boxed([first, first, listOf(tool(), tool({ name: 'b', description: 'New.' })), listOf(tool())]);
    await box.list();
    const [added, removed]: [string[], string[]] = [[], []];
    const agent = untyped({
      addTool: ({ name }: { name: string }) => void added.push(name),
      removeTool: (name: string) => void removed.push(name),
    });
    box.addTo(untyped(agent));
    expect(added.splice(0)).toEqual(['notes__look', 'notes__b']);
    await box.list();
    expect(added).toEqual([]);
    await box.list();
    expect(added).toEqual(['notes__b']);
    await box.list();
    expect([added, removed]).toEqual([['notes__b'], ['notes__b']]);
  });

  const [definition] = readTools([tool()]).tools.map((read) => read.definition);
  const kept = toJson(definition ?? expect.unreachable()) as JsonObject;
  test.each<readonly [what: string, kept: Json | undefined, isPrevious: boolean]>([
    ['nothing', undefined, false],
    ['the same', kept, false],
    ['another description', { ...kept, description: 'Looked.' }, true],
    ['a text', 'x', false],
    ['a schema that is none', { ...kept, inputSchema: 7 }, false],
    ['hints that are none', { ...kept, annotations: 7 }, false],
    ['neither', { ...kept, inputSchema: 7, annotations: 7 }, false],
  ])('of which the page remembers %s state what was before', async (_what, remembered, isPrevious) => {
    const box = boxed([listOf(tool())], { get: async () => remembered, update: async () => {} });
    const [one] = await box.list();
    expect(one !== undefined && 'previous' in one).toBe(isPrevious);
  });

  test.each([
    ['that is new', undefined, 1],
    ['that has changed', { ...kept, description: 'Looked.' }, 1],
    ['that is known', kept, 0],
  ] as const)('%s are remembered when they first run', async (_what, remembered, times) => {
    const update = vi.fn(async () => {});
    const { peer } = peerOf(statelessVersion, [listOf(tool()), { content: [] }]);
    const memory = untyped({ get: async () => remembered, update });
    const box = createToolbox({ options: { url, memory: untyped(memory) }, peer, url, asker });
    const [one] = await box.list();
    const looks = [reply.call('notes__look', {})];
    const agent = createAgent({ client: createScriptedClient([looks, looks, [reply.text('Seen.')]]) });
    agent.addTool((one ?? expect.unreachable()).tool);
    const session = await agent.openSession(agent.createSession());
    const done = session.send('Look twice.');
    for (let nth = 1; nth <= 2; nth += 1) {
      await expect.poll(() => session.getApprovals()).toHaveLength(1);
      await session.approve(session.getApprovals()[0]?.callId ?? '');
    }
    await done;
    expect(update).toHaveBeenCalledTimes(times);
    await agent.dispose();
  });
});

describe('what a server offers beside its tools', () => {
  test.each([
    ['prompts', listPrompts],
    ['resources', listResources],
  ] as const)('is asked for only where it has any: %s', async (name, list) => {
    const none = peerOf(statelessVersion, [{ [name]: [{ name: 'a', uri: 'a:b' }] }]);
    expect([await list(none.peer, asker.host), none.requests]).toEqual([[], []]);
    const some = peerOf(statelessVersion, [{ [name]: [{ name: 'a', uri: 'a:b' }] }], { [name]: {} });
    expect(await list(some.peer, asker.host)).toHaveLength(1);
  });

  test('cannot ask the person', async () => {
    const asks = peerOf(statelessVersion, [{ resultType: 'input_required', messages: [], contents: [] }]).peer;
    const refused = { problem: 'refused', message: expect.stringContaining('which only a tool can do here') };
    await expect(getPrompt(asks, asker.host, 'a', {})).rejects.toMatchObject(refused);
    await expect(readContents(asks, asker.host, 'a:b')).rejects.toMatchObject(refused);
  });
});

describe('what an interface asks of its session', () => {
  const view = { type: 'tool', callId: 'view-1', name: 'notes__look', status: 'succeeded', output: 'of the view' };
  const made = { type: 'tool', callId: 'c', name: 'notes__look', status: 'succeeded', output: 'of its call' };
  const own = { type: 'interface', callId: 'view-1', name: 'look', server: url };
  const message = (content: readonly object[], more: object = {}) => ({ id: 'm', role: 'assistant', content, ...more });
  /** The message with which the interface asks for a call. */
  const prompt = (tool = 'notes__look'): Message =>
    untyped(
      message([], {
        id: 'p',
        role: 'user',
        origin: own,
        metadata: toMetadata({ id: 'call-1', view: 'view-1', tool, input: {} }),
      }),
    );

  function verbsOf(messages: () => readonly unknown[], ended: object = { outcome: 'completed' }) {
    const status$ = new BehaviorSubject('idle');
    const added: unknown[] = [];
    const [read] = readTools([tool()]).tools;
    const { definition } = read ?? expect.unreachable();
    const session = {
      status$,
      getStatus: () => status$.value,
      getMessages: messages,
      addMessage: (one: unknown) => void added.push(one),
      send: async () => ended,
    };
    const server = { url, getTools: () => [{ tool: { name: 'notes__look' }, definition }] };
    const verbs = createAppVerbs({
      server: untyped(server),
      session: untyped(session),
      callId: 'view-1',
      name: 'look',
      ports: { id: () => 'call-1' },
    });
    return { verbs, status$, added };
  }

  test('is answered by its own call', async () => {
    const { verbs } = verbsOf(() => [prompt(), message([made]), message([view])]);
    expect(await verbs.callTool('look', {})).toMatchObject({ content: [{ text: 'of its call' }] });
  });

  test.each([
    [{ outcome: 'cancelled' }, 'The call was not made: cancelled.'],
    [{ outcome: 'failed', error: new Error('The purse is empty.') }, 'The purse is empty.'],
  ])('is not answered by another call, where the run ends with %j', async (ended, reason) => {
    for (const messages of [[message([view])], [message([view]), prompt()]])
      await expect(verbsOf(() => messages, ended).verbs.callTool('look', {})).rejects.toThrow(reason);
  });

  test('waits for the whole run to end', async () => {
    const { verbs, status$, added } = verbsOf(() => []);
    status$.next('running');
    await verbs.setContext({ content: [{ type: 'text', text: 'warm' }], structuredContent: null });
    status$.next('running');
    expect(added).toEqual([]);
    status$.next('idle');
    expect(added).toHaveLength(1);
  });

  test('is twenty thousand characters for the model at most', async () => {
    const { verbs, added } = verbsOf(() => []);
    const said = (length: number) => ({
      content: [{ type: 'text', text: 'x'.repeat(length) }],
      structuredContent: null,
    });
    await verbs.setContext(said(20_000));
    expect(added).toHaveLength(1);
    await expect(verbs.setContext(said(20_001))).rejects.toThrow('more than 20000 characters');
  });

  test('is one call, also where a reply before it has none', async () => {
    const client = withMCPApps({ sendRequest: () => expect.unreachable() });
    const chunksOf = (...after: readonly object[]) =>
      lastValueFrom(client.sendRequest(untyped({ messages: [prompt(), ...after], promptId: 'p' })).pipe(toArray()));
    const types = async (...after: readonly object[]) => (await chunksOf(...after)).map(({ type }) => type);
    expect(await types()).toEqual(['call-end', 'finish']);
    expect(await types(message([]))).toEqual(['call-end', 'finish']);
    expect(await types(message([{ type: 'text', text: 'No.' }]))).toEqual(['call-end', 'finish']);
    expect(await types(message([made]))).toEqual(['finish']);
  });
});

describe('a request', () => {
  test('that the page has stopped is not made', async () => {
    const { wire, sent } = wired([answer({ jsonrpc: '2.0', id: 1, result: {} })]);
    const reason = new Error('stopped');
    const asked: unknown[] = [];
    const watched = {
      ...wire,
      fetch: async (address: RequestInfo | URL, init?: RequestInit) => {
        asked.push(init?.signal?.reason);
        init?.signal?.throwIfAborted();
        return wire.fetch(address, init);
      },
    };
    const request = exchange(watched, stateless({}), 'ping', {}, { signal: AbortSignal.abort(reason) });
    await expect(request).rejects.toBe(reason);
    expect([asked, sent]).toEqual([[reason], []]);
  });

  test('waits as long as it may, and without an end where it may', async () => {
    const delay = vi.fn(() => () => {});
    const { wire } = wired([() => new Response()]);
    const timed = { ...wire, ports: { delay } };
    await exchange(timed, stateless({}), 'ping', {}, { timeout: Infinity });
    expect(delay).not.toHaveBeenCalled();
    await exchange(timed, stateless({}), 'ping', {}, { timeout: 5 });
    expect(delay).toHaveBeenCalledWith(expect.any(Function), 5);
  });

  test('that CORS forbids names the headers that the owner of the server must allow', () => {
    const { message } = explain(
      'a.example',
      new Trouble('cors', { headers: ['accept', 'x-own', 'mcp-name'] }),
    ) as Error;
    const [, names = ''] = /Access-Control-Allow-Headers: (.*?) and /u.exec(message) ?? [];
    expect(names.split(', ')).toEqual(expect.arrayContaining(['x-own', 'mcp-name', 'authorization']));
    expect(names.split(', ')).not.toContain('accept');
    const other = new TypeError('x');
    expect(explain('a.example', other)).toBe(other);
  });

  const events = (text: string) => new Response(text, { headers: { 'content-type': 'text/event-stream' } });
  /** A stream of events that breaks off. */
  const broken = (text: string) => () => {
    const bytes = new TextEncoder().encode(text);
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (bytes.length > 0) controller.enqueue(bytes.slice());
        controller.error(new TypeError('network error'));
      },
    });
    return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
  };

  test.each<readonly [what: string, first: () => Response, isResumable: boolean, requests: number]>([
    ['without a name for its place', () => events('data: \n\n'), true, 1],
    ['under the stateless revision', () => events('id: 5\ndata: \n\n'), false, 1],
    ['by an error of the network', broken(''), false, 1],
    ['by an error of the network, without a name', broken(''), true, 1],
    ['with a name for its place', () => events('id: 5\ndata: \n\n'), true, 2],
  ])('whose stream breaks off %s is interrupted', async (_what, first, resumable, requests) => {
    const { sent, ask } = wired([first, () => new Response(null, { status: 405 })], undefined, atOnce());
    await expect(ask({ resumable })).rejects.toMatchObject({ problem: 'interrupted' });
    expect(sent).toHaveLength(requests);
  });

  test('for a stream gets one only where the server has one', async () => {
    const open = async (response: () => Response) =>
      (await openStream(wired([response]).wire, { headers: {}, signal })) !== undefined;
    const head = { 'content-type': 'text/event-stream' };
    expect(await open(() => events(''))).toBe(true);
    expect(await open(() => new Response('', { headers: head, status: 500 }))).toBe(false);
    expect(await open(() => Response.json({}))).toBe(false);
  });
});

describe('listening to a server', () => {
  const source = { isStateless: false, request: () => ({ params: {}, headers: {} }), onMessage: () => {} };

  /** Resolves with the number of requests until the server has no stream any more. */
  async function heard(first: () => Response | Promise<Response>): Promise<number> {
    const ended = new AbortController();
    const { wire, sent } = wired([first, () => new Response(null, { status: 405 })], undefined, atOnce(ended));
    await listen(wire, source, ended.signal);
    return sent.filter(({ mode }) => mode === undefined).length;
  }
  const streaming = (text: string) => () => new Response(text, { headers: { 'content-type': 'text/event-stream' } });

  test.each<readonly [what: string, first: () => Response | Promise<Response>, isRepeated: boolean]>([
    ['it refuses the page', () => new Response(null, { status: 403 }), false],
    ['it redirects', () => new Response(null, { status: 302 }), false],
    ['it sends what is no message', streaming('data: x\n\n'), false],
    ['it has none', () => new Response(null, { status: 405 }), false],
    ['its stream has ended', streaming(''), true],
    [
      'its stream has broken off',
      () =>
        new Response(new ReadableStream({ pull: (controller) => controller.error(new TypeError('network error')) }), {
          headers: { 'content-type': 'text/event-stream' },
        }),
      true,
    ],
  ])('where %s is tried again: %s', async (_what, first, isRepeated) => {
    expect(await heard(first)).toBe(isRepeated ? 2 : 1);
  });

  test('is tried again where it cannot be reached', async () => {
    const requests: (RequestMode | undefined)[] = [];
    const { wire } = wired([() => new Response(null, { status: 405 })]);
    const offline: typeof fetch = async (_url, init) => {
      requests.push(init?.mode);
      if (requests.length <= 2) throw new TypeError('Failed to fetch');
      return new Response(null, { status: 405 });
    };
    const ended = new AbortController();
    await listen({ ...wire, fetch: offline, ports: atOnce(ended) }, source, ended.signal);
    expect(requests).toEqual([undefined, 'no-cors', undefined]);
  });
});

describe('connecting', () => {
  interface Sent {
    readonly verb: string;
    readonly method?: string;
    readonly id?: Json;
    readonly error?: Json;
    readonly result?: Json;
  }
  type Answer = (id: Json) => Response;
  const result =
    (value: object, headers: Record<string, string> = {}): Answer =>
    (id) =>
      Response.json({ jsonrpc: '2.0', id, result: value }, { headers });
  const unknown: Answer = (id) => Response.json({ jsonrpc: '2.0', id, error: { code: -32_601, message: 'no' } });
  const initialized = { protocolVersion: '2025-06-18', capabilities: {} };

  /** A page beside a server that answers so. */
  function page(answers: Readonly<Record<string, Answer>>) {
    const sent: Sent[] = [];
    const fetch: typeof globalThis.fetch = async (_url, init) => {
      const text = textOf(init);
      const { method, id = null, ...rest } = text === '' ? {} : (JSON.parse(text) as Sent);
      sent.push({ verb: init?.method ?? 'GET', ...(method !== undefined && { method }), id, ...rest });
      const given = answers[method ?? init?.method ?? 'GET'];
      return given?.(id) ?? new Response(null, { status: method === undefined ? 405 : 202 });
    };
    const connect = (more: object = {}) => connectMCP({ url, fetch, ...more });
    const count = (what: string): number =>
      sent.filter(({ verb, method }) => (method === undefined ? verb : method) === what).length;
    return { fetch, connect, sent, count };
  }
  const older = { 'server/discover': unknown, initialize: result(initialized) };
  const discovered = (capabilities: object) => result({ supportedVersions: [statelessVersion], capabilities });

  test('is by a name of forty characters at most', async () => {
    const { connect } = page({ 'server/discover': discovered({}) });
    expect((await connect({ name: 'x'.repeat(40) })).name).toHaveLength(40);
    await expect(connect({ name: 'x'.repeat(41) })).rejects.toMatchObject({ code: 'INVALID_CONFIG' });
  });

  test.each<readonly [what: string, first: Answer, problem: string | undefined]>([
    ['an error of the server without a message', () => new Response(null, { status: 500 }), 'failed'],
    ['an error of a proxy', () => new Response('<p>', { status: 502 }), 'failed'],
    [
      'an error of the server with a message',
      (id) => Response.json({ jsonrpc: '2.0', id, error: { code: -32_601, message: 'no' } }, { status: 500 }),
      undefined,
    ],
    ['an address that it does not know', () => new Response(null, { status: 404 }), undefined],
    ['a request that it does not read', () => new Response(null, { status: 499 }), undefined],
  ])('goes on with an older revision, or not, after %s', async (_what, first, problem) => {
    const { connect, count } = page({ ...older, 'server/discover': first });
    const connecting = connect({ listen: false });
    if (problem === undefined) expect((await connecting).version).toBe('2025-06-18');
    else await expect(connecting).rejects.toMatchObject({ problem });
    expect(count('initialize')).toBe(problem === undefined ? 1 : 0);
  });

  test('goes on with an older revision where the request for the newer one gets no answer', async () => {
    const { fetch } = page(older);
    let asked = 0;
    // The second request only shows whether the server can be reached.
    const failing: typeof fetch = async (address, init) => {
      asked += 1;
      if (asked <= 2) throw new TypeError('Failed to fetch');
      return fetch(address, init);
    };
    const server = await connectMCP({ url, listen: false, fetch: failing });
    expect(server.version).toBe('2025-06-18');
  });

  test.each([
    ['has forgotten', { 'mcp-session-id': 'one' }, 2],
    ['never had', {}, 1],
  ] as const)('is made again for a session that the server %s: %j', async (_what, headers, times) => {
    const gone: Answer = () => new Response(null, { status: 404 });
    const p = page({
      ...older,
      initialize: result({ ...initialized, capabilities: { prompts: {} } }, headers),
      'prompts/list': gone,
    });
    const server = await p.connect({ listen: false });
    await expect(server.prompts()).rejects.toMatchObject({ status: 404 });
    expect(p.count('initialize')).toBe(times);
  });

  test('opens no stream that a server without sessions does not have', async () => {
    const quiet = page({ 'server/discover': discovered({ tools: {} }), 'tools/list': result({ tools: [] }) });
    await quiet.connect();
    const loud = page({
      'server/discover': discovered({ tools: { listChanged: true } }),
      'tools/list': result({ tools: [] }),
    });
    await loud.connect();
    await settle();
    expect([quiet.count('subscriptions/listen'), loud.count('subscriptions/listen')]).toEqual([0, 1]);
  });

  test('ends a session once, and none where there is none', async () => {
    const with1 = page({ ...older, initialize: result(initialized, { 'mcp-session-id': 'one' }) });
    const server = await with1.connect({ listen: false });
    server.close();
    server.close();
    const without = page({ 'server/discover': discovered({}) });
    (await without.connect({ listen: false })).close();
    await settle();
    expect([with1.count('DELETE'), without.count('DELETE')]).toEqual([1, 0]);
  });

  test.each([
    [0, 'no call', []],
    [1, 'the only call', ['elicitation/create']],
    [2, 'no call', []],
  ])('with %i calls under way takes a question of the stream as one of %s', async (calls, _whose, asked) => {
    const opened = createGate();
    const stream = new ReadableStream<Uint8Array>({
      async start(controller) {
        await opened.opened;
        controller.enqueue(
          new TextEncoder().encode('data: {"jsonrpc":"2.0","id":9,"method":"elicitation/create"}\n\n'),
        );
      },
    });
    const head = { 'content-type': 'text/event-stream' };
    const p = page({ ...older, GET: () => new Response(stream, { headers: head }) });
    const { wire } = wired([]);
    const calling: typeof fetch = async (address, init) =>
      textOf(init).includes('"tools/call"') ? new Promise<never>(() => {}) : p.fetch(address, init);
    const peer = await connectPeer({ ...wire, fetch: calling });
    const heard: string[] = [];
    for (let nth = 0; nth < calls; nth += 1)
      void peer.request('tools/call', {}, { onRequest: async (method) => (heard.push(method), {}) });
    const stop = new AbortController();
    void peer.listen(() => {}, stop.signal).catch(() => {});
    await settle();
    opened.open();
    await expect.poll(() => p.sent.filter(({ id }) => id === 9)).toHaveLength(1);
    expect(heard).toEqual(asked);
    stop.abort();
  });

  test('answers what the server asks over the stream, and no notification', async () => {
    const asks = ['{"jsonrpc":"2.0","id":5,"method":"ping"}', '{"jsonrpc":"2.0","method":"notifications/message"}'];
    const stream = () =>
      new Response(asks.map((data) => `data: ${data}\n\n`).join(''), {
        headers: { 'content-type': 'text/event-stream' },
      });
    const p = page({ ...older, GET: stream });
    const server = await p.connect();
    await expect.poll(() => p.sent.filter(({ id }) => id === 5)).toMatchObject([{ verb: 'POST', result: {} }]);
    expect(p.sent.filter(({ result: sent }) => sent !== undefined)).toHaveLength(1);
    server.close();
  });
});
