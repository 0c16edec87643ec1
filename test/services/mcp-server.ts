import type { JsonObject } from '../../src/core/json.ts';
import { toObject, toText } from '../../src/core/model/read-json.ts';

/** An MCP server in the process of the test, and the calls that it got. */
export interface StrangeServer {
  readonly fetch: typeof globalThis.fetch;
  /** `tools/call`: the name at the server, and the arguments. */
  readonly calls: (readonly [name: string, input: JsonObject])[];
}

/** Base64 of the beginning of a PNG. */
export const png = 'iVBORw0KGgo=';

/** Shapes that a service refuses; the generators of real servers write all of them. */
const refused: JsonObject = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  // Alternatives at the top, one of them a reference (zod unions, GitNexus, Notion).
  oneOf: [{ $ref: '#/definitions/ById' }, { properties: { name: { type: 'string' } }, required: ['name'] }],
  properties: {
    $top: { type: 'integer', minimum: 0, exclusiveMinimum: true },
    since: { type: 'string', format: 'date-time', default: '2026-01-01T00:00:00Z', pattern: '\\d{4}' },
    site: { type: 'string', format: 'uri', pattern: '\\S' },
    anything: { description: 'Any value.' },
    more: {},
    open: { type: 'object', additionalProperties: true },
    record: { type: 'object', additionalProperties: {} },
    pair: { type: 'array', items: [{ type: 'string' }, { type: 'number' }] },
    list: { type: 'array' },
    owner: { $ref: '#/definitions/Owner', description: 'Who has it.' },
    same: { $ref: '#/properties/list' },
    kind: { const: 'report' },
    level: { enum: ['low', 'high'] },
    // A type beside alternatives, which only require (Apollo, Unity-MCP).
    target: {
      type: 'object',
      properties: { path: { type: 'string' }, url: { type: 'string' } },
      anyOf: [{ required: ['path'] }, { required: ['url'] }],
    },
    maybe: { type: ['string', 'null'], description: 'Or nothing.' },
    text: { type: 'string', properties: {}, required: ['a'] },
    flag: true,
    odd: { type: 'any', description: 'An unknown type.' },
  },
  required: ['absent'],
  definitions: {
    ById: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
    Owner: { type: 'object', properties: { parent: { $ref: '#/definitions/Owner' }, name: { type: 'string' } } },
  },
};

/** The list of the server's tools. */
export const strangeTools: readonly JsonObject[] = [
  {
    name: 'look.up',
    description: 'Looks it up.',
    inputSchema: { type: 'object', properties: { q: { type: 'string' } } },
  },
  { name: 'ping', description: 'Answers.', inputSchema: { type: 'object' } },
  { name: 'find', description: 'Finds it.', inputSchema: refused },
  {
    name: 'chart',
    description: 'Draws a chart.',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    outputSchema: { type: 'object', properties: { points: { type: 'number' } }, required: ['points'] },
  },
];

/** What each tool answers: text and a picture, nothing, text, a picture beside structured content. */
const results: Readonly<Record<string, JsonObject>> = {
  'look.up': {
    content: [
      { type: 'text', text: 'a' },
      { type: 'image', data: png, mimeType: 'image/png' },
    ],
  },
  ping: { content: [] },
  find: { content: [{ type: 'text', text: 'It is there.' }] },
  chart: {
    content: [
      { type: 'text', text: '{"points":3}' },
      { type: 'image', data: png, mimeType: 'image/png' },
    ],
    structuredContent: { points: 3 },
  },
};

/** A valid call of each tool. */
export const callsOfTools: readonly (readonly [name: string, input: JsonObject])[] = [
  ['look.up', { q: 'a' }],
  ['ping', {}],
  ['find', { absent: 1, id: 'x', target: { path: '/a' }, pair: ['a', 1] }],
  ['chart', {}],
];

/** Creates the server of a stranger: its tools have names and schemas as real servers write them. */
export function createStrangeServer(): StrangeServer {
  const calls: (readonly [name: string, input: JsonObject])[] = [];
  const fetch: typeof globalThis.fetch = (_url, init) => {
    if (init?.method !== 'POST') return Promise.resolve(new Response('', { status: 405 }));
    const { id, method, params } = toObject(JSON.parse(toText(init.body)));
    const answer = (result: object): Promise<Response> =>
      Promise.resolve(Response.json({ jsonrpc: '2.0', id, result }, { headers: { 'mcp-session-id': 'x' } }));
    if (method === 'initialize')
      return answer({
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 's', version: '1' },
      });
    if (method === 'tools/list') return answer({ tools: strangeTools });
    if (method === 'tools/call') {
      const { name, arguments: input } = toObject(params);
      calls.push([toText(name), toObject(input)]);
      return answer(results[toText(name)] ?? {});
    }
    return Promise.resolve(new Response(null, { status: 202 }));
  };
  return { fetch, calls };
}
