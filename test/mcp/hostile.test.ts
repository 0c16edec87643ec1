import { afterEach, describe, expect, test } from 'vitest';
import { connectMCP } from 'brooklet/mcp';
import { toObject } from '../../src/core/model/read-json.ts';
import { Trouble } from '../../src/mcp/errors.ts';
import { parseMessage } from '../../src/mcp/read-body.ts';
import type { JsonObject } from 'brooklet';
import { call, settled } from '../support/manual-client.ts';
import { callIdOf, callsOf } from '../support/stage.ts';
import { until } from '../support/until.ts';
import { type Answers, sendEvents, sendJson, serveFake, tool } from './support/fake.ts';
import { approved, atRest, closeAll, connected, later, request } from './support/person.ts';

afterEach(closeAll);

const fake = (answers: Answers) => () => serveFake(answers);
const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

describe('a hostile server', () => {
  test.each<readonly [what: string, answer: Answers[string], problem: RegExp]>([
    [
      'an endless line',
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const more = (): void => void (response.write(`data: ${'x'.repeat(60_000)}`) && setImmediate(more));
        response.on('drain', more);
        more();
      },
      /more than 200000 bytes/,
    ],
    [
      'a million empty lines of data in one event',
      (_request, response) =>
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data:\n'.repeat(1_000_000)),
      /more than 200000 bytes/,
    ],
    [
      'a body of 50 MB',
      ({ id }, response) =>
        sendJson(response, { id, result: { content: [{ type: 'text', text: 'x'.repeat(50_000_000) }] } }),
      /more than 200000 bytes/,
    ],
    [
      'HTML',
      (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello'),
      /not with an MCP message/,
    ],
    ['no content type', (_request, response) => response.writeHead(200).end('{}'), /no content type/],
    [
      'text that is no JSON',
      (_request, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"a"'),
      /not JSON/,
    ],
    [
      'a list in the place of a message',
      (_request, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('[]'),
      /not a message/,
    ],
    [
      'JSON a million levels deep',
      (_request, response) =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(`{"jsonrpc":"2.0","id":1,"result":${deep(90_000)}}`),
      /levels deep/,
    ],
    [
      'the answer to another call',
      ({ id }, response) => sendJson(response, { id: Number(id) + 1, result: {} }),
      /another request/,
    ],
    [
      'a redirect',
      (_request, response) => response.writeHead(307, { location: 'https://example.com' }).end(),
      /redirect/,
    ],
    [
      'an empty stream',
      (_request, response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(),
      /closed the connection/,
    ],
    ['nothing', (_request, response) => response.destroy(), /cannot be reached|does not let this page/],
    [
      'an error of the protocol',
      ({ id }, response) => sendJson(response, { id, error: { code: -32_000, message: 'no\u0000\u202e' } }),
      /refused the request: no/,
    ],
    ['503', (_request, response) => response.writeHead(503).end(), /answered 503: try again later/],
    [
      'a question that is none',
      { resultType: 'input_required', inputRequests: { a: { method: 'sampling/createMessage' } } },
      /does not offer/,
    ],
    [
      'a link to open that is none',
      {
        resultType: 'input_required',
        inputRequests: {
          a: { method: 'elicitation/create', params: { mode: 'url', message: 'Open', url: 'javascript:alert(1)' } },
        },
      },
      /not https/,
    ],
    [
      'a call for repetition without an end',
      { resultType: 'input_required', requestState: 'again' },
      /the same call more than 5 times/,
    ],
    [
      'a state of a megabyte',
      {
        resultType: 'input_required',
        inputRequests: {
          a: { method: 'elicitation/create', params: { message: 'x'.repeat(180_000) } },
          b: { method: 'elicitation/create', params: { message: 'x'.repeat(180_000) } },
        },
      },
      /more than \d+ (bytes|characters)/,
    ],
  ])('that sends %s fails the call with a sentence, and nothing else', async (_what, answer, sentence) => {
    const s = await connected(fake({ 'tools/call': answer }), { maxBytes: 200_000 });
    expect(await approved(s, 'test__look')).toMatchObject({
      status: 'failed',
      output: expect.stringMatching(sentence),
    });
    expect(s.session.getStatus()).toBe('running');
  });

  test('cannot answer for another call, nor twice', async () => {
    const answer: Answers[string] = ({ id }, response) => {
      const result = (text: string): JsonObject => ({ content: [{ type: 'text', text }] });
      sendEvents(
        response,
        { id: 'x', result: result('wrong') },
        { id, result: result('right') },
        { id, result: result('twice') },
      );
    };
    const s = await connected(fake({ 'tools/call': answer }));
    expect(await approved(s, 'test__look')).toMatchObject({ output: [{ type: 'text', text: 'right' }] });
    await until(() => expect(s.http.seen.at(-1)?.aborted).toBe(true));
  });

  test('cannot name a prototype', async () => {
    const schema =
      '{"type":"object","properties":{"__proto__":{"type":"object"},"constructor":{"type":"string"}},"required":["constructor"]}';
    const inputSchema: JsonObject = JSON.parse(schema);
    const structuredContent: JsonObject = JSON.parse('{"__proto__":{"polluted":true},"a":1}');
    const s = await connected(
      fake({ 'tools/list': { tools: [tool({ inputSchema })] }, 'tools/call': { structuredContent } }),
    );
    expect(JSON.stringify(s.server.getTools())).not.toContain('__proto__');
    expect(await approved(s, 'test__look', { constructor: 'x' })).toMatchObject({
      status: 'succeeded',
      output: { a: 1 },
    });
    expect(JSON.stringify(callsOf(s.session))).not.toContain('polluted');
    expect(Object.prototype).not.toHaveProperty('polluted');
  });

  test.each([
    ['an escape of the name', String.raw`{"a":{"\u005f_proto__":{"x":1},"b":2}}`, { a: { b: 2 } }],
    ['the name in a text', '{"a":"__proto__"}', { a: '__proto__' }],
    ['brackets and quotes in a text', String.raw`{"a":"[[\"{{\\\\","b":"\\"}`, { a: '[["{{\\\\', b: '\\' }],
  ])('is read as it is: %s', (_what, text, message) => {
    expect(parseMessage(text)).toEqual(message);
    expect(Object.hasOwn(toObject(parseMessage(text).a), '__proto__')).toBe(false);
  });

  test.each([64, 65])('may nest %s levels, or not, whatever its texts have', (levels) => {
    const text = String.raw`{"t":"]]}}\"]]","a":`;
    const nested = `${text}${'['.repeat(levels - 1)}"${String.raw`\\`}"${']'.repeat(levels - 1)}}`;
    if (levels === 64) expect(parseMessage(nested).t).toBe(']]}}"]]');
    else expect(() => parseMessage(nested)).toThrow(Trouble);
  });

  test('cannot hang the page with a pattern', async () => {
    const inputSchema = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
    const s = await connected(fake({ 'tools/list': { tools: [tool({ inputSchema })] } }));
    const input = { a: `${'a'.repeat(2_000)}!` };
    expect(await request(s, 'test__look', input)).toMatchObject({ status: 'invalid' });
  });

  test('cannot send a result of any length to the model', async () => {
    const s = await connected(fake({ 'tools/call': { content: [{ type: 'text', text: 'x'.repeat(1_000_000) }] } }));
    const { output } = await approved(s, 'test__look');
    expect(JSON.stringify(output).length).toBeLessThan(410_000);
  });

  test('cannot make the page follow an address that is no web address', async () => {
    const content = [
      { type: 'resource_link', uri: 'javascript:alert(1)', name: 'x' },
      { type: 'image', mimeType: 'image/png', data: '<b>' },
      { type: 'surprise' },
    ];
    const s = await connected(fake({ 'tools/call': { content } }));
    const { output } = await approved(s, 'test__look');
    expect(output).toMatchObject([{ type: 'text' }, { type: 'text' }, { type: 'text' }]);
  });

  test('is asked no more than ten times within a call', async () => {
    const inputRequests = {
      a: { method: 'elicitation/create', params: { message: 'And?', requestedSchema: { type: 'object' } } },
    };
    const s = await connected(fake({ 'tools/call': { resultType: 'input_required', inputRequests } }));
    let held = await approved(s, 'test__look');
    let answers = 0;
    for (; held.status === 'awaiting-approval'; answers += 1) {
      await s.session.answer(held.callId, {});
      held = await atRest(s);
    }
    expect(answers).toBe(10);
    expect(held).toMatchObject({ status: 'failed', output: expect.stringContaining('asked more than 10 times') });
  });

  test('is called again no more than five times within a call', async () => {
    let calls = 0;
    const answer: Answers[string] = ({ id }, response) => {
      calls += 1;
      sendJson(response, { id, result: { resultType: 'input_required', requestState: 'again' } });
    };
    const s = await connected(fake({ 'tools/call': answer }));
    expect(await approved(s, 'test__look')).toMatchObject({ status: 'failed' });
    expect(calls).toBe(6);
  });

  test('that is gone after the approval fails the call', async () => {
    const s = await connected(fake({}));
    await request(s, 'test__look');
    await s.http.close();
    await s.session.approve(callIdOf(s.session));
    expect(await atRest(s)).toMatchObject({ status: 'failed', output: expect.stringContaining('cannot be reached') });
  });

  test('that changes its tools in the midst of a call changes nothing for this call', async () => {
    let respond = (): void => {};
    const answer: Answers[string] = ({ id }, response) =>
      void (respond = () => sendJson(response, { id, result: { content: [{ type: 'text', text: 'seen' }] } }));
    let tools: JsonObject[] = [tool()];
    const s = await connected(
      fake({ 'tools/call': answer, 'tools/list': ({ id }, response) => sendJson(response, { id, result: { tools } }) }),
    );
    await request(s, 'test__look');
    await s.session.approve(callIdOf(s.session));
    await until(() => expect(s.http.seen.at(-1)?.headers['mcp-method']).toBe('tools/call'));
    tools = [tool({ name: 'other' })];
    await s.server.tools();
    respond();
    expect(await atRest(s)).toMatchObject({ status: 'succeeded', output: [{ text: 'seen' }] });
    await until(() => expect(s.client.asked).toHaveLength(2));
    call(s.client.last(), ['test__look', '{}']);
    await settled();
    expect(await atRest(s)).toMatchObject({ status: 'invalid', output: expect.stringContaining('test__other') });
  });

  test('offers what can be offered of a bad list, and says what was left out', async () => {
    const headers = (name: string, type: string): JsonObject => ({
      type: 'object',
      properties: { a: { type, 'x-mcp-header': name } },
    });
    const tools = [
      tool(),
      tool({ description: 'the second of this name' }),
      tool({ name: '' }),
      tool({ name: 'list', inputSchema: { type: 'array' } }),
      tool({ name: 'none', inputSchema: null }),
      tool({ name: 'long', description: 'x'.repeat(70_000) }),
      tool({ name: 'header', inputSchema: headers('a b', 'string') }),
      tool({ name: 'number', inputSchema: headers('a', 'number') }),
      tool({
        name: 'items',
        inputSchema: {
          type: 'object',
          properties: { a: { type: 'array', items: { type: 'string', 'x-mcp-header': 'A' } } },
        },
      }),
      tool({ name: 'constructor' }),
      tool({ name: '../etc/passwd' }),
    ];
    const { server } = await connected(fake({ 'tools/list': { tools } }));
    expect(server.getTools().map(({ definition }) => definition.name)).toEqual([
      'look',
      'constructor',
      '../etc/passwd',
    ]);
    for (const { tool: own } of server.getTools()) expect(own.name).toMatch(/^[\w-]{1,64}$/);
    expect(server.getLeftOut().map(({ name }) => name)).toEqual([
      'look',
      '',
      'list',
      'none',
      'long',
      'header',
      'number',
      'items',
    ]);
  });

  test.each<readonly [string, Answers[string]]>([
    ['a cursor that comes again', { tools: [tool()], nextCursor: 'same' }],
    [
      'a cursor without an end',
      ({ id }, response) => sendJson(response, { id, result: { tools: [], nextCursor: `page ${JSON.stringify(id)}` } }),
    ],
    ['ten thousand tools', { tools: Array.from({ length: 10_000 }, (_, index) => tool({ name: `t${index}` })) }],
  ])('cannot keep the page busy with %s', async (_what, answer) => {
    const http = await serveFake({ 'tools/list': answer });
    later(() => http.close());
    await expect(connectMCP({ url: http.url })).rejects.toMatchObject({ problem: 'malformed' });
  });

  test('reads a list of several pages', async () => {
    const pages: Readonly<Record<string, JsonObject>> = {
      first: { tools: [tool()], nextCursor: 'two' },
      two: { tools: [tool({ name: 'third' })] },
    };
    const { server } = await connected(
      fake({
        'tools/list': ({ params, id }, response) =>
          sendJson(response, { id, result: pages[params.cursor === undefined ? 'first' : 'two'] }),
      }),
    );
    expect(server.getTools().map(({ tool: { name } }) => name)).toEqual(['test__look', 'test__third']);
  });
});

describe('names of tools', () => {
  test('differ between servers and tools, whatever these are called', async () => {
    const { toToolName } = await import('../../src/mcp/names.ts');
    const names = [
      'a',
      'b',
      'a_b',
      'a__b',
      'b_',
      '_b',
      'a.b',
      'a/b',
      'a b',
      'ä',
      '工具',
      'x'.repeat(80),
      `${'x'.repeat(79)}y`,
    ];
    const mapped = ['s', 's_a', 's__a', 's'.repeat(40), '127_0_0_1', 'mcp_127_0_0_1', '-'].flatMap((server) =>
      names.map((name) => toToolName(server, name)),
    );
    expect(new Set(mapped).size).toBe(mapped.length);
    for (const name of mapped) expect(name).toMatch(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/);
  });
});

describe('parameters that a server reads from headers', () => {
  test('are sent as headers, encoded', async () => {
    const inputSchema = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } };
    const s = await connected(fake({ 'tools/list': { tools: [tool({ inputSchema })] } }));
    await approved(s, 'test__look', { region: 'Zürich' });
    expect(s.http.seen.at(-1)?.headers).toMatchObject({
      'mcp-param-region': '=?base64?WsO8cmljaA==?=',
      'mcp-name': 'look',
    });
  });
});
