import { describe, expect, test, vi } from 'vitest';
import type { Message } from 'brooklet';
import { connectMCP } from 'brooklet/mcp';
import { readAppCall, readAppContext, toMetadata } from '../../src/mcp/apps/app-call.ts';
import { type AppHost, createAppBridge } from '../../src/mcp/apps/bridge.ts';
import { isFor, readTools, readUI } from '../../src/mcp/definition.ts';
import { headerValue, respond, resultOf } from '../../src/mcp/exchange.ts';
import { listAll } from '../../src/mcp/list.ts';
import { toToolName } from '../../src/mcp/names.ts';
import type { Peer } from '../../src/mcp/peer.ts';
import {
  checkAsked,
  isAnswered,
  isSameQuestion,
  readAsked,
  readQuestions,
  toElicitation,
  toRetry,
  withAnswer,
} from '../../src/mcp/question.ts';
import { toOutput, toParts } from '../../src/mcp/result.ts';
import type { MCPAuth } from '../../src/mcp/wire.ts';
import { untyped } from '../support/untyped.ts';
import { tool } from './support/fake.ts';
import { answer, asker, textOf, url, wired } from './support/wired.ts';

// Without a network: what a server sends is given to the code that reads it.

describe('a tool of a list', () => {
  const object = (properties: object) => ({ type: 'object', properties });
  const header = (name: unknown, type: unknown = 'string') => ({ type, 'x-mcp-header': name });

  test.each<readonly [item: object, reason: RegExp]>([
    [{ name: '' }, /name is missing/],
    [{ name: undefined }, /name is missing/],
    [{ name: 7 }, /name is missing/],
    [{ name: 'x'.repeat(257) }, /too long/],
    [{ description: 'x'.repeat(65_536) }, /longer than 65536/],
    [{ inputSchema: undefined }, /not an object schema/],
    [{ inputSchema: [] }, /not an object schema/],
    [{ inputSchema: { type: 'array' } }, /not an object schema/],
    [{ inputSchema: { type: 7 } }, /not an object schema/],
    [{ inputSchema: object({ a: { $ref: '#/$defs/a' } }) }, /refers to #\/\$defs\/a/],
    [{ inputSchema: object({ a: header('a b') }) }, /not a header name/],
    [{ inputSchema: object({ a: header('') }) }, /not a header name/],
    [{ inputSchema: object({ a: header('a\r\nb') }) }, /not a header name/],
    [{ inputSchema: object({ a: header('a', 'number') }) }, /not a header name, or/],
    [{ inputSchema: object({ a: header('a', 'strings') }) }, /not a header name, or/],
    [{ inputSchema: object({ a: header('a', 'substring') }) }, /not a header name, or/],
    [{ inputSchema: object({ a: header('a', ['string']) }) }, /not a header name, or/],
    [{ inputSchema: object({ a: header('A'), b: object({ c: header('a') }) }) }, /two parameters/],
    [{ inputSchema: object({ a: { type: 'array', items: header('a') } }) }, /plain property/],
  ])('of %j is left out', (more, reason) => {
    const { tools, leftOut } = readTools([untyped({ ...tool(), ...more }), tool({ name: 'other' })]);
    expect(tools.map(({ definition }) => definition.name)).toEqual(['other']);
    expect(leftOut).toMatchObject([{ reason: expect.stringMatching(reason) }]);
  });

  test.each<readonly [item: object]>([
    [{ name: 'x'.repeat(256) }],
    [{ inputSchema: {} }],
    [{ inputSchema: object({ a: null, b: true }) }],
    [{ description: 'x'.repeat(65_536 - JSON.stringify(tool({ description: '' })).length) }],
    [{ inputSchema: object({ a: { $ref: '#/properties/b' }, b: {} }) }],
    [{ inputSchema: object({ a: header('A'), b: object({ c: header('B', 'integer') }) }) }],
    [{ inputSchema: object({ a: header("!#$%&'*+.^_`|~x-1", 'boolean') }) }],
  ])('of %j is offered', (more) => {
    const { tools, leftOut } = readTools([untyped({ ...tool(), ...more })]);
    expect([tools.length, leftOut]).toEqual([1, []]);
  });

  test('of a name that came before is left out', () => {
    const { tools, leftOut } = readTools([tool({ description: 'first' }), tool({ description: 'second' })]);
    expect(tools.map(({ definition }) => definition.description)).toEqual(['first']);
    expect(leftOut).toEqual([{ name: 'look', reason: 'another tool has the same name' }]);
  });

  test.each([
    [{}, undefined],
    [{ resourceUri: 'https://evil.example' }, undefined],
    [{ resourceUri: 'x-ui://' }, undefined],
    [{ resourceUri: 7 }, undefined],
    [{ visibility: 'app' }, undefined],
    [
      { resourceUri: 'ui://a', visibility: ['app', 'all', 7] },
      { resourceUri: 'ui://a', visibility: ['app'] },
    ],
    [{ visibility: [] }, { visibility: [] }],
  ])('with the interface %j has %j', (ui, read) => {
    expect(readUI({ ui })).toEqual(read);
  });

  test('is for those that it names', () => {
    const of = (visibility?: readonly ('model' | 'app')[]) => untyped({ ui: { visibility } });
    const table = [of(), of([]), of(['app']), of(['model'])];
    expect(table.map((one) => [isFor('model', one), isFor('app', one)])).toEqual([
      [true, true],
      [false, false],
      [false, true],
      [true, false],
    ]);
  });

  test('whose plain name would be that of another gets a name of its own', () => {
    expect(toToolName('notes', 'look')).toBe('notes__look');
    for (const [server, name] of [
      ['notes', 'a__b'],
      ['notes_', 'a'],
      ['notes', '_a'],
      ['1notes', 'a'],
      ['notes', 'x'.repeat(60)],
    ] as const)
      expect(toToolName(server, name)).toMatch(/^[A-Za-z][\w-]{0,63}___?\w+$/);
    expect(toToolName('notes', 'a__b')).not.toBe('notes__a__b');
    expect(toToolName('notes_', 'a')).not.toBe('notes___a');
  });
});

describe('a list of a server', () => {
  const listed = (pages: (cursor: unknown, count: number) => object) => {
    let count = 0;
    const request: Peer['request'] = async (_method, { cursor }) => untyped(pages(cursor, (count += 1)));
    return listAll(untyped({ request }), asker.host, 'tools').then((items) => [items.length, count]);
  };
  const items = (length: number) => Array.from({ length }, () => ({}));

  test('of a thousand items, or of a hundred and one pages, is read', async () => {
    expect(await listed(() => ({ tools: items(1_000) }))).toEqual([1_000, 1]);
    expect(await listed((_cursor, count) => ({ nextCursor: count > 100 ? '' : `${count}` }))).toEqual([0, 101]);
    expect(await listed(() => ({ tools: [7, null, 'x', [], {}], nextCursor: 7 }))).toEqual([1, 1]);
  });

  test.each<readonly [what: string, pages: (cursor: unknown, count: number) => object]>([
    ['a thousand and one items', () => ({ tools: items(1_001) })],
    ['that many on several pages', (_cursor, count) => ({ tools: items(501), nextCursor: `${count}` })],
    ['a cursor that comes again', (cursor) => ({ nextCursor: cursor === 'a' ? 'b' : 'a' })],
    ['a hundred and two pages', (_cursor, count) => ({ nextCursor: count > 101 ? '' : `${count}` })],
  ])('with %s is refused', async (_what, pages) => {
    await expect(listed(pages)).rejects.toMatchObject({ problem: 'malformed' });
  });
});

describe('a result', () => {
  const image = (mimeType: unknown, data: unknown) => untyped([{ type: 'image', mimeType, data }]);

  test.each<readonly [mimeType: unknown, data: unknown]>([
    ['image', 'QUJD'],
    ['image/png; a', 'QUJD'],
    ['text/html,<b> image/png', 'QUJD'],
    ['/png', 'QUJD'],
    ['image/', 'QUJD'],
    [7, 'QUJD'],
    [undefined, 'QUJD'],
    ['image/png', ''],
    ['image/png', 'QU JD'],
    ['image/png', '<svg>'],
    ['image/png', 'data:image/png;base64,QUJD'],
    ['image/png', 7],
  ])('with an image of the type %j and the data %j has a note in its place', (mimeType, data) => {
    for (const type of ['image', 'audio'])
      expect(toParts(untyped([{ type, mimeType, data }]))).toEqual([
        { type: 'text', text: `[${type} that cannot be read]` },
      ]);
    expect(
      toParts(untyped([{ type: 'resource', resource: { uri: 'a:b', mimeType: mimeType ?? '', blob: data } }])),
    ).toEqual([{ type: 'text', text: '[resource a:b, which cannot be read]' }]);
  });

  test('with media that can be read has them', () => {
    expect(toParts(image('image/svg+xml', 'QUJD+/=='))).toEqual([
      { type: 'image', mediaType: 'image/svg+xml', data: 'QUJD+/==' },
    ]);
  });

  test.each(['javascript:alert(1)', 'file:///etc', 'ftp://a', 'x https://a.example', 'https:evil', ''])(
    'with a link to %j has no source',
    (uri) => {
      expect(toParts([{ type: 'resource_link', uri, name: 'x' }])).toEqual([
        { type: 'text', text: expect.any(String) },
      ]);
    },
  );

  test.each(['https://a.example/', 'http://a.example/'])('with a link to %s has a source', (link) => {
    expect(toParts([{ type: 'resource_link', uri: link }])).toEqual([{ type: 'source', url: link }]);
  });

  test('of an unknown kind has a note in its place', () => {
    expect(toParts([{ type: 'video', uri: 'a:b', text: 'x' }])).toEqual([
      { type: 'text', text: '[content of the unknown type video]' },
    ]);
  });

  test('without content is nothing, and structured content keeps what is no text beside it', () => {
    expect(toOutput({})).toBeNull();
    expect(toOutput({ content: [] })).toBeNull();
    const text = { type: 'text', text: 'warm' } as const;
    const link = { type: 'source', url: 'https://a.example/' } as const;
    const content = [text, { type: 'resource_link', uri: link.url }];
    expect(toOutput({ content, structuredContent: { a: 1 } })).toEqual([{ type: 'text', text: '{"a":1}' }, link]);
    expect(toOutput({ content: [text], structuredContent: { a: 1 } })).toEqual({ a: 1 });
  });

  test('that does not fit the schema of its own server is refused, and an error is one', () => {
    const schema = { type: 'object', required: ['a'] };
    expect(() => toOutput({ structuredContent: {} }, schema)).toThrow('does not fit its own schema');
    expect(toOutput({ structuredContent: { a: 1 } }, schema)).toEqual({ a: 1 });
    expect(() => toOutput({ isError: true, structuredContent: { a: 1 } }, schema)).toThrow('The tool failed');
    expect(toOutput({ isError: untyped('true'), structuredContent: { a: 1 } })).toEqual({ a: 1 });
  });
});

describe('a question of a server', () => {
  const ask = (method: unknown, params: unknown = {}) => ({ method, params });
  const read = (inputRequests: object, round = 1) => readQuestions(untyped({ inputRequests }), round, asker);

  test.each(['sampling/createMessage', 'roots/list', 'elicitation/created', '', 7, undefined, 'constructor'])(
    'by the method %j is refused',
    (method) => {
      expect(() => read({ a: ask('elicitation/create'), b: ask(method) })).toThrow('does not offer');
    },
  );

  test('is one of ten at most, of 262,144 characters at most', () => {
    expect(read({ a: ask('elicitation/create') }, 10).round).toBe(10);
    expect(() => read({ a: ask('elicitation/create') }, 11)).toThrow('more than 10 times');
    const asked = (length: number) => {
      const empty = JSON.stringify({ requests: [], responses: [], state: '', round: 1 }).length;
      return checkAsked({ requests: [], responses: [], state: 'x'.repeat(length - empty), round: 1 }, asker.host);
    };
    expect(asked(262_144).state).toHaveLength(262_144 - 51);
    expect(() => asked(262_145)).toThrow('more than 262144 characters');
  });

  test.each([
    'javascript:alert(1)',
    'http://notes.example/pay',
    'http://localhost.evil.example/',
    'https://notes.example@evil.example/',
    'https://:word@evil.example/',
    `https://notes.example/${'x'.repeat(4_000)}`,
    'notes.example',
    '',
    7,
    null,
  ])('for the address %j is refused', (address) => {
    const asked = read({ a: ask('elicitation/create', { mode: 'url', message: 'Pay', url: address }) });
    expect(() => toElicitation(asked, asker)).toThrow('is not https: it was refused');
  });

  test.each(['https://notes.example/pay', 'http://localhost:3000/', 'http://127.0.0.1/'])(
    'for the address %s names it',
    (address) => {
      const asked = read({ a: ask('elicitation/create', { mode: 'url', message: 'Pay', url: address }) });
      expect(toElicitation(asked, asker)).toMatchObject({ type: 'boolean', 'x-mcp-url': address });
    },
  );

  test('of another tool is none, and what was kept is read as it was', () => {
    for (const kept of [undefined, {}, { 'x-mcp': 'x' }, { 'x-mcp': [] }, { 'x-mcp': null }])
      expect(readAsked(kept)).toBeUndefined();
    const asked = { ...read({ a: ask('elicitation/create', { message: 'And?' }) }), live: true, state: 's' };
    expect(readAsked(toElicitation(asked, asker))).toEqual(asked);
    const damaged = { 'x-mcp': { requests: 7, responses: 'x', state: 7, live: 'yes', round: 1 } };
    expect(readAsked(damaged)).toEqual({ requests: [], responses: [], round: 1 });
  });

  test.each<readonly [mode: string, answer: unknown, response: object]>([
    ['url', true, { action: 'accept' }],
    ['url', 'yes', { action: 'decline' }],
    ['url', 1, { action: 'decline' }],
    ['url', {}, { action: 'decline' }],
    ['url', undefined, { action: 'decline' }],
    ['form', null, { action: 'decline' }],
    ['form', undefined, { action: 'decline' }],
    ['form', true, { action: 'decline' }],
    ['form', [], { action: 'decline' }],
    ['form', {}, { action: 'accept', content: { size: 1 } }],
    ['form', { size: 2 }, { action: 'accept', content: { size: 2 } }],
  ])('of the mode %s is answered by %j with %j', (mode, given, response) => {
    const properties = { size: { default: 1 }, colour: {} };
    const asked = read({ a: ask('elicitation/create', { mode, requestedSchema: { properties } }) });
    expect(isAnswered(asked)).toBe(false);
    const answered = withAnswer(asked, untyped(given));
    expect(isAnswered(answered)).toBe(true);
    expect(toRetry({ ...answered, state: 's' })).toEqual({ inputResponses: { a: response }, requestState: 's' });
    expect(toRetry({ ...asked, requests: [] })).toEqual({});
  });

  test('is the same by what it asks, and not by its name', () => {
    const of = (key: string, message: string) => read({ [key]: ask('elicitation/create', { message }) });
    expect(isSameQuestion(of('a', 'Pay 5?'), of('b', 'Pay 5?'))).toBe(true);
    expect(isSameQuestion(of('a', 'Pay 5?'), of('a', 'Pay 500?'))).toBe(false);
  });
});

test.each<readonly [value: string, isPlain: boolean]>([
  ['look', true],
  ['a b', true],
  ['a', true],
  ['a\tb', true],
  ['=?base64?YQ==', true],
  ['x=?base64?YQ==?=', true],
  ['=?base64?YQ==?=x', true],
  [' a', false],
  ['a ', false],
  ['ä', false],
  ['a\r\nx: y', false],
  ['', false],
  ['=?base64?YQ==?=', false],
  ['=?base64??=', false],
])('the value %j of a header is plain: %s', (value, isPlain) => {
  if (isPlain) return expect(headerValue(value)).toBe(value);
  const [, encoded = ''] = /^=\?base64\?([A-Za-z0-9+/=]*)\?=$/.exec(headerValue(value)) ?? [];
  expect(new TextDecoder().decode(Uint8Array.from(atob(encoded), (char) => char.charCodeAt(0)))).toBe(value);
});

const marked = (fields: object) => () =>
  Object.defineProperties(new Response('{}'), Object.getOwnPropertyDescriptors(fields));

describe('an answer to a request', () => {
  const result = { jsonrpc: '2.0', id: 1, result: {} };

  test.each<readonly [what: string, response: () => Response]>([
    ['300', () => new Response(null, { status: 300 })],
    ['302', () => new Response(null, { status: 302 })],
    ['399', () => new Response(null, { status: 399 })],
    ['no status', marked({ type: 'opaqueredirect', status: 0 })],
    ['a page behind a redirect', marked({ redirected: true })],
  ])('that is a redirect is not followed: %s', async (_what, response) => {
    const { ask, sent } = wired([response]);
    await expect(ask()).rejects.toMatchObject({ problem: 'redirect' });
    expect(sent).toMatchObject([{ redirect: 'manual', credentials: 'omit', referrerPolicy: 'no-referrer' }]);
  });

  test.each<readonly [what: string, body: object]>([
    ['another request', { ...result, id: 2 }],
    ['a text for a number', { ...result, id: '1' }],
    ['no request', { jsonrpc: '2.0', result: {} }],
    ['no request, with null', { ...result, id: null }],
    ['the error of another request', { jsonrpc: '2.0', id: 2, error: { code: 1 } }],
    ['an error that is no object', { jsonrpc: '2.0', error: 'no' }],
  ])('is not the response to %s', async (_what, body) => {
    await expect(wired([answer(body)]).ask()).rejects.toMatchObject({ problem: 'malformed' });
  });

  test.each([{ jsonrpc: '2.0', error: { code: 1 } }, { jsonrpc: '2.0', id: null, error: { code: 1 } }, result])(
    'may be %j',
    async (body) => {
      expect(await wired([answer(body)]).ask()).toMatchObject({ message: body });
    },
  );

  test.each<readonly [what: string, response: () => Response]>([
    ['202', () => Response.json(result, { status: 202 })],
    ['HTML', () => new Response('<p>', { headers: { 'content-type': 'text/html' } })],
    ['no type', () => new Response(JSON.stringify(result))],
    ['an error of a proxy as JSON', answer({ message: 'gone' }, 502)],
    [
      'a stream with an error',
      () => new Response('data: {}\n\n', { status: 500, headers: { 'content-type': 'text/event-stream' } }),
    ],
  ])('without a message is %s', async (_what, response) => {
    expect(await wired([response]).ask()).not.toHaveProperty('message');
  });

  test('may have as many characters as the page takes, and no more', async () => {
    const sized = (length: number) => {
      const text = (pad: string) => JSON.stringify({ ...result, result: { pad } });
      return answer(JSON.parse(text('x'.repeat(length - text('').length))));
    };
    expect(await wired([sized(1_000)]).ask()).toHaveProperty('message');
    await expect(wired([sized(1_001)]).ask()).rejects.toMatchObject({ problem: 'too-large' });
  });

  test('of a stream is that with the id of the request, and no request of the server', async () => {
    const events = [
      '',
      JSON.stringify({ jsonrpc: '2.0', id: 2, result: { is: 'other' } }),
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
      JSON.stringify({ jsonrpc: '2.0', id: 1, result: { is: 'own' } }),
    ].map((data) => `data: ${data}\n\n`);
    const stream = () => new Response(events.join(''), { headers: { 'content-type': 'text/event-stream' } });
    expect(await wired([stream]).ask()).toMatchObject({ message: { result: { is: 'own' } } });
  });

  test.each<readonly [message: object | undefined, problem: string]>([
    [undefined, 'not-mcp'],
    [{}, 'not-mcp'],
    [{ result: 'x' }, 'not-mcp'],
    [{ result: [] }, 'not-mcp'],
    [{ error: 'x' }, 'not-mcp'],
    [{ error: { code: -32_022, data: { supported: ['1'] } } }, 'version'],
    [{ error: { code: '-32022' } }, 'refused'],
    [{ error: { code: -32_000 } }, 'refused'],
  ])('of %j is no result: %s', (message, problem) => {
    const header = () => null;
    expect(() => resultOf(untyped({ message, status: 200, type: 'text/html', header }))).toThrow(
      expect.objectContaining({ problem }),
    );
    expect(resultOf(untyped({ message: { result: { a: 1 }, error: {} } }))).toEqual({ a: 1 });
  });
});

test.each([
  [-32_000, -32_000],
  ['-32000', undefined],
])('the code %j of an error is %j', (code, rpcCode) => {
  expect(() => resultOf(untyped({ message: { error: { code } }, status: 200 }))).toThrow(
    expect.objectContaining({ details: expect.objectContaining({ rpcCode }) }),
  );
});

describe('a token that is refused', () => {
  const refusal =
    (status: number, header = '') =>
    () =>
      new Response(null, { status, headers: header ? { 'www-authenticate': header } : {} });
  const scope = 'Bearer error="insufficient_scope"';

  test.each<readonly [what: string, status: number, header: string, isRenewed: boolean, renewals: number]>([
    ['for want of a token', 401, '', true, 1],
    ['for want of a token, and there is none', 401, '', false, 1],
    ['for want of rights', 403, scope, true, 1],
    ['for the account', 403, '', true, 0],
  ])('%s: with status %i', async (_what, status, header, isRenewed, renewals) => {
    const asked: unknown[] = [];
    const auth: MCPAuth = { token: async () => 'word', renew: async (challenge) => (asked.push(challenge), isRenewed) };
    const { ask, sent } = wired([refusal(status, header)], auth);
    await expect(ask()).rejects.toMatchObject({ problem: status === 401 ? 'sign-in' : 'forbidden' });
    // Once: a server that refuses every token is not asked for ever.
    expect(asked).toEqual(Array.from({ length: renewals }, () => ({ url, status, header, token: 'word' })));
    expect(sent).toHaveLength(renewals > 0 && isRenewed ? 2 : 1);
  });

  test('is replaced, and the request made again', async () => {
    const words = ['old', 'new'];
    const auth: MCPAuth = { token: async () => words.shift(), renew: async () => true };
    const { ask, sent } = wired([refusal(401), answer({ jsonrpc: '2.0', id: 1, result: {} })], auth);
    await ask();
    expect(sent.map(({ headers }) => new Headers(headers).get('authorization'))).toEqual(['Bearer old', 'Bearer new']);
  });

  test.each([400, 404, 500])('is not what status %i says', async (status) => {
    const auth: MCPAuth = { token: async () => 'word', renew: () => expect.unreachable() };
    expect(await wired([refusal(status)], auth).ask()).toMatchObject({ status });
  });
});

describe('a request of a server', () => {
  test.each([{ id: 1 }, { method: 'ping' }, {}])('of %j gets no answer', async (message) => {
    const { wire, sent } = wired([answer({})]);
    respond(wire, {}, message, undefined);
    respond(wire, {}, { id: 2, method: 'ping' }, undefined);
    await expect.poll(() => sent.length).toBeGreaterThan(0);
    expect(sent.map((init): unknown => JSON.parse(textOf(init)))).toEqual([{ jsonrpc: '2.0', id: 2, result: {} }]);
  });

  test('that no handler takes is refused', async () => {
    const { wire, sent } = wired([answer({})]);
    respond(wire, {}, { id: 1, method: 'sampling/createMessage' }, () => undefined);
    await expect.poll(() => sent).toHaveLength(1);
    expect(JSON.parse(textOf(sent[0]))).toMatchObject({ id: 1, error: { code: -32_601 } });
  });
});

describe('the versions of a server', () => {
  const connect = (...bodies: readonly object[]) => {
    let next = 0;
    const fetch: typeof globalThis.fetch = async (_url, init) => {
      const { id } = JSON.parse(textOf(init)) as { id?: number };
      if (id === undefined) return new Response(null, { status: 202 });
      return Response.json({ jsonrpc: '2.0', id, ...bodies[next++] });
    };
    return connectMCP({ url, fetch, listen: false }).then((server) => server.version);
  };
  const initialized = (protocolVersion: unknown) => ({ result: { protocolVersion, capabilities: {} } });
  const unknown = { error: { code: -32_601, message: 'no' } };

  test.each<readonly [what: string, bodies: readonly object[]]>([
    ['none that this page speaks', [{ result: { supportedVersions: ['2031-01-01'] } }]],
    ['none at all', [{ result: { supportedVersions: [] } }]],
    ['an older one that is not known', [unknown, initialized('2020-01-01')]],
    ['one that is no text', [unknown, initialized(7)]],
    ['the stateless one, by a server with sessions', [unknown, initialized('2026-07-28')]],
    ['none in its error', [{ error: { code: -32_022, message: 'no', data: { supported: ['2031-01-01'] } } }]],
  ])('are %s: it is not connected', async (_what, bodies) => {
    await expect(connect(...bodies)).rejects.toMatchObject({ problem: 'version' });
  });

  test('may be an older one beside others, and then that is spoken', async () => {
    const both = { result: { supportedVersions: ['2031-01-01', '2025-06-18'] } };
    expect(await connect(both, initialized('2025-06-18'))).toBe('2025-06-18');
    expect(await connect({ result: { supportedVersions: ['2026-07-28'], capabilities: {} } })).toBe('2026-07-28');
    // An error that lists this version is no description.
    const error = { error: { code: -32_022, message: 'no', data: { supported: ['2026-07-28', '2025-06-18'] } } };
    expect(await connect(error, initialized('2025-06-18'))).toBe('2025-06-18');
  });
});

describe('a message of an interface', () => {
  const message = (metadata: unknown, origin?: unknown): Message =>
    untyped({ id: 'm', role: 'user', timestamp: 0, content: [], metadata, origin });
  const origin = { type: 'interface', callId: 'view-1', name: 'weather', server: url };
  const asked = { id: 'a', view: 'view-1', tool: 'weather', input: {} };

  test.each<readonly [what: string, metadata: unknown, origin: unknown]>([
    ['of the person', asked, undefined],
    ['of an agent', asked, { type: 'agent' }],
    ['of another interface', asked, { ...origin, callId: 'view-2' }],
    ['without a view', { ...asked, view: undefined }, origin],
    ['without an id', { ...asked, id: '' }, origin],
    ['without a tool', { ...asked, tool: '' }, origin],
    ['with a tool that is no text', { ...asked, tool: 7 }, origin],
    ['with an input that is no object', { ...asked, input: [] }, origin],
    ['without an input', { ...asked, input: undefined }, origin],
  ])('is no call: %s', (_what, metadata, from) => {
    expect(readAppCall(message(toMetadata(untyped(metadata)), from))).toBeUndefined();
  });

  test('is the call that it asks for', () => {
    expect(readAppCall(message(toMetadata(asked), origin))).toEqual(asked);
  });

  test.each<readonly [what: string, context: unknown, origin: unknown]>([
    ['of the person', { view: 'view-1' }, undefined],
    ['of a device', { view: 'view-1' }, { type: 'device', callId: 'view-1' }],
    ['of another interface', { view: 'view-2' }, origin],
    ['without a view', {}, origin],
    ['that is no object', 'x', origin],
    ['that is a list', [], { ...origin, callId: '' }],
  ])('is no context: %s', (_what, context, from) => {
    expect(readAppContext(message(toMetadata(untyped({ context })), from))).toBeUndefined();
    const own = toMetadata({ context: { view: 'view-1', content: 'warm' } });
    expect(readAppContext(message(own, origin))).toMatchObject({ view: 'view-1', content: 'warm' });
  });

  function bridged(more: Partial<AppHost> = {}) {
    const posted: unknown[] = [];
    const failed: string[] = [];
    const sized: number[] = [];
    const done = async () => ({});
    const nothing = async (): Promise<void> => {};
    const bridge = createAppBridge({
      post: (one) => void posted.push(one),
      context: () => ({}),
      callTool: done,
      readResource: done,
      openLink: nothing,
      sendMessage: nothing,
      setContext: nothing,
      resize: (height) => void sized.push(height),
      fail: (reason) => void failed.push(reason),
      now: () => 0,
      ...more,
    });
    return { bridge, posted, failed, sized };
  }
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const settle = () => new Promise((resolve) => setTimeout(resolve));
  /** A message of so many characters. */
  const padded = (length: number) => {
    const text = (a: string) => ({ ...ping, params: { a } });
    return text('x'.repeat(length - JSON.stringify(text('')).length));
  };
  const circular: Record<string, unknown> = { ...ping };
  circular.params = circular;

  test.each<readonly [what: string, data: unknown]>([
    ['another version', { ...ping, jsonrpc: '1.0' }],
    ['no version', { id: 1, method: 'ping' }],
    ['a list', [ping]],
    ['a text', JSON.stringify(ping)],
    ['null', null],
    ['a circle', circular],
    ['a million characters', padded(1_000_001)],
    ['an id that is no id', { ...ping, id: { a: 1 } }],
    ['no method', { jsonrpc: '2.0', id: 1 }],
  ])('that is %s gets no answer', async (_what, data) => {
    const { bridge, posted, failed } = bridged();
    bridge.receive(data);
    await settle();
    expect([posted, failed]).toEqual([[], []]);
    bridge.receive({ ...ping, id: 'text' });
    await settle();
    expect(posted).toEqual([{ jsonrpc: '2.0', id: 'text', result: {} }]);
  });

  test('that is a million characters long is answered', async () => {
    const { bridge, posted } = bridged();
    bridge.receive(padded(1_000_000));
    await settle();
    expect(posted).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
  });

  test('ends the conversation with an answer, which the page awaits', async () => {
    const { bridge, posted } = bridged();
    bridge.receive({ jsonrpc: '2.0', method: 'ui/notifications/initialized' });
    const ended = vi.fn();
    const end = bridge.end().then(ended);
    await settle();
    expect(posted).toEqual([expect.objectContaining({ id: 'end', method: 'ui/resource-teardown' })]);
    expect(ended).not.toHaveBeenCalled();
    bridge.receive({ jsonrpc: '2.0', id: 'end', result: {} });
    await end;
  });

  test.each(['tools/list', 'constructor', '__proto__', 'toString', 'ui/notifications/initialized', ''])(
    'by the method %j is refused',
    async (method) => {
      const { bridge, posted } = bridged();
      bridge.receive({ ...ping, method });
      await settle();
      expect(posted).toMatchObject([{ id: 1, error: { code: -32_601 } }]);
    },
  );

  test.each(['constructor', '__proto__', 'toString', 'tools/call'])(
    'without an id, by the method %j, is not heard',
    async (method) => {
      const { bridge, posted, failed } = bridged();
      bridge.receive({ jsonrpc: '2.0', method });
      await settle();
      expect([posted, failed]).toEqual([[], []]);
    },
  );

  test('makes the frame as high as a number, and no higher than one', () => {
    const { bridge, sized } = bridged();
    for (const height of [0, 100, -1, Infinity, NaN, '100', null, undefined])
      bridge.receive({ jsonrpc: '2.0', method: 'ui/notifications/size-changed', params: { height } });
    expect(sized).toEqual([0, 100]);
  });

  test('that has left for another page ends the conversation once', async () => {
    const { bridge, posted, failed } = bridged();
    const left = { jsonrpc: '2.0', method: 'ui/notifications/sandbox-left' };
    for (const one of [{ jsonrpc: '2.0', method: 'ui/notifications/initialized' }, left, left, ping])
      bridge.receive(one);
    bridge.updateContext({ theme: 'dark' });
    await bridge.end();
    expect([posted, failed]).toEqual([[], [expect.stringContaining('leave for another page')]]);
  });

  test('is one of two hundred in a second', () => {
    let now = 0;
    const { bridge, failed } = bridged({ now: () => now });
    const flood = (count: number): void => {
      for (let sent = 0; sent < count; sent += 1) bridge.receive({ jsonrpc: '2.0', method: 'x' });
    };
    flood(200);
    now = 999;
    expect(failed).toEqual([]);
    now = 1_000;
    flood(200);
    expect(failed).toEqual([]);
    now = 1_999;
    flood(1);
    expect(failed).toEqual(['The interface sent too many messages.']);
  });

  test('hears of the page only once it is ready', async () => {
    const { bridge, posted } = bridged();
    bridge.updateContext({ theme: 'dark' });
    await bridge.end();
    expect(posted).toEqual([]);
    bridge.receive({ jsonrpc: '2.0', method: 'ui/notifications/initialized' });
    bridge.updateContext({ theme: 'dark' });
    expect(posted).toEqual([
      { jsonrpc: '2.0', method: 'ui/notifications/host-context-changed', params: { theme: 'dark' } },
    ]);
  });
});
