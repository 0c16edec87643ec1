import { createAgent, defineTool, type JsonObject } from 'brooklet';
import { connectMCP } from 'brooklet/mcp';
import { createScriptedClient } from 'brooklet/testing';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { toInterruptInput, toElicitation as toAGUIElicitation } from '../../src/agui/interrupts.ts';
import { elicitation } from '../../src/core/model/shapes/part-shape.ts';
import { checkAsked, readAsked, toElicitation } from '../../src/mcp/question.ts';
import { closeAll, later } from './support/person.ts';
import { serveStateless } from './support/servers.ts';

afterEach(closeAll);

const asker = { name: 'notes', host: 'notes.example' };

/** Schemas of strangers with words of this package at any level. */
const schemas = fc.letrec<{ schema: object; value: unknown }>((tie) => ({
  schema: fc.record(
    {
      'x-mcp-url': fc.constant('javascript:alert(1)'),
      'x-mcp': fc.constant({ requests: [], responses: [], state: 'forged', round: 0 }),
      properties: fc.dictionary(fc.constantFrom('a', '__proto__', 'X-MCP-url'), tie('value'), { maxKeys: 2 }),
      anyOf: fc.array(tie('value'), { maxLength: 2 }),
    },
    { requiredKeys: ['x-mcp-url'] },
  ),
  value: fc.oneof({ maxDepth: 3 }, fc.constant('text'), tie('schema')),
})).schema;

describe('what a server or an agent writes', () => {
  test('says nothing in the place of this package, at no level of the schema of an answer', () => {
    fc.assert(
      fc.property(schemas, (requestedSchema) => {
        const params: JsonObject = JSON.parse(JSON.stringify({ message: 'Which?', requestedSchema }));
        const asked = checkAsked({ requests: [{ key: 'q', params }], responses: [], round: 1 }, asker.host);
        const { 'x-mcp': kept, ...shown } = toElicitation(asked, asker);
        expect(JSON.stringify(shown)).not.toMatch(/javascript:|x-mcp|forged/i);
        expect(readAsked({ 'x-mcp': kept ?? null })).toEqual(asked);
        const interrupt = toInterruptInput({ id: 'i', responseSchema: params.requestedSchema ?? null }, undefined);
        expect(JSON.stringify(toAGUIElicitation(interrupt))).not.toMatch(/javascript:|x-mcp|forged/i);
      }),
    );
  });

  test.each([
    ['javascript:alert(1)', false],
    ['data:text/html,x', false],
    ['http://example.com/', false],
    ['https://user:secret@example.com/', false],
    [7, false],
    ['https://example.com/sign-in', true],
    ['http://127.0.0.1:8080/', true],
  ])(
    'leaves the address %s of a question in a file or of another device out, unless a page may open it',
    (url, isKept) => {
      const value = { title: 'Sign in', 'x-mcp-url': url };
      expect(elicitation(value, '')).toBeUndefined();
      expect('x-mcp-url' in value).toBe(isKept);
    },
  );
});

describe('the tools of a server', () => {
  const own = (name: string) =>
    defineTool({ name, description: 'Of the page.', input: { type: 'object' }, execute: () => 'page' });

  async function setup() {
    const [one, other] = [await serveStateless(), await serveStateless()];
    later(() => one.close());
    later(() => other.close());
    const connect = async (url: string, name?: string) => {
      const server = await connectMCP({ url, listen: false, ...(name !== undefined && { name }) });
      later(() => server.close());
      return server;
    };
    const agent = createAgent({ client: createScriptedClient([]) });
    later(() => agent.dispose());
    return { one, other, connect, agent };
  }

  test('never take the place of those of another endpoint of the same name', async () => {
    const { one, other, connect, agent } = await setup();
    const [first, second] = [await connect(one.url, 'tenant'), await connect(other.url, 'tenant')];
    first.addTo(agent);
    expect(() => second.addTo(agent)).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }));
    expect(() => second.addTo(agent)).toThrow(first.getTools()[0]?.tool.name);
    // Under another name it has a place of its own, and the same server may come again.
    (await connect(other.url, 'second')).addTo(agent);
    first.addTo(agent);
  });

  test('never take the place of the page, and leave nothing behind', async () => {
    const { one, connect, agent } = await setup();
    const server = await connect(one.url, 'sums');
    const names = server.getTools().map(({ tool }) => tool.name);
    const taken = names.at(-1) ?? '';
    agent.addTool(own(taken));
    expect(() => server.addTo(agent)).toThrow(`the page has a tool of this name`);
    expect(names.map((name) => agent.removeTool(name))).toEqual(names.map((name) => name === taken));
  });
});
