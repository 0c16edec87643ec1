import {
  type Agent,
  createAgent,
  createChatCompletionsClient,
  createResponsesClient,
  defineTool,
  extractTextContent,
  type Json,
  type JsonObject,
  type LLMClient,
  type Message,
} from 'brooklet';
import type { ChatCompletionsOptions } from 'brooklet/llm';
import { createAnthropicClient } from 'brooklet/anthropic';
import { createMemoryStore } from 'brooklet/storage';
import { describe, expect, test } from 'vitest';
import { toPromptMessages } from '../../../src/llm/wires/built-in/request.ts';
import { bytes } from '../../support/llm-answer.ts';
import { createManualPorts } from '../../support/ports.ts';

type Event = JsonObject & { readonly type: string };

/** An answer as `/v1/messages` streams it, with these blocks. */
function stream(stopReason: string, blocks: readonly JsonObject[], container?: string): string {
  const message = { type: 'message', role: 'assistant', model: 'claude', content: [], usage: { input_tokens: 9 } };
  const events: readonly Event[] = [
    { type: 'message_start', message },
    ...blocks.flatMap((block, index): readonly Event[] => {
      const isUse = block.type === 'server_tool_use' || block.type === 'tool_use';
      const isText = block.type === 'text';
      const start = { ...block, ...(isUse && { input: {} }), ...(isText && { text: '' }) };
      const delta = isUse
        ? { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
        : { type: 'text_delta', text: block.text };
      return [
        { type: 'content_block_start', index, content_block: start },
        ...(isUse || isText ? [{ type: 'content_block_delta', index, delta }] : []),
        { type: 'content_block_stop', index },
      ];
    }),
    {
      type: 'message_delta',
      delta: { stop_reason: stopReason, ...(container && { container: { id: container, expires_at: '2030-01-01' } }) },
      usage: { output_tokens: 5 },
    },
    { type: 'message_stop' },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

const text = (text: string): JsonObject => ({ type: 'text', text });
const search = (id: string): JsonObject => ({
  type: 'server_tool_use',
  id,
  name: 'web_search',
  input: { query: 'the longest brook' },
});
const found = (id: string): JsonObject => ({
  type: 'web_search_tool_result',
  tool_use_id: id,
  content: [{ type: 'web_search_result', url: 'https://a.test', encrypted_content: 'x' }],
});

const pausing = [text('I look it up.'), search('s1'), found('s1'), search('s2')];
const going = [found('s2'), text('It is the Roe.')];

/** A service that sends these answers one after the other; a request after the last one stays open. */
function serve(...answers: readonly string[]) {
  const bodies: JsonObject[] = [];
  const fetch: typeof globalThis.fetch = async (_url, { body } = {}) => {
    const asked: JsonObject = JSON.parse(await new Response(body ?? null).text());
    const answer = answers[bodies.push(asked) - 1];
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        if (answer === undefined) return;
        controller.enqueue(bytes(answer));
        controller.close();
      },
    });
    return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
  };
  return {
    client: createAnthropicClient({ baseURL: 'https://api.test/v1', model: 'm', cache: false, fetch }),
    bodies,
    fetch,
  };
}

/** The roles of the messages, in order. */
const toRoles = (messages: Json | undefined): readonly unknown[] =>
  Array.isArray(messages) ? messages.map((message: JsonObject) => message.role) : [];

/** Half a reply, and its continuation. */
const paused: readonly Message[] = [
  { id: 'u', role: 'user', content: [{ type: 'text', text: 'Which?' }], timestamp: 0 },
  { id: 'a', role: 'assistant', content: [{ type: 'text', text: 'I look.' }], timestamp: 0, finish: 'pause' },
  { id: 'b', role: 'assistant', content: [{ type: 'text', text: 'The Roe.' }], timestamp: 0, finish: 'stop' },
];

const open = (agent: Agent): ReturnType<Agent['openSession']> => agent.openSession(agent.createSession());
const question: JsonObject = { role: 'user', content: [text('Which brook is the longest?')] };
const messagesOf = (body: JsonObject | undefined): Json | undefined => body?.messages;

describe('on a wire without pauses', () => {
  const asked = async (messages: readonly Message[], create: (options: ChatCompletionsOptions) => LLMClient) => {
    const { bodies, fetch } = serve();
    create({ baseURL: 'https://api.test/v1', model: 'm', fetch }).sendRequest({ sessionId: 's', messages }).subscribe();
    await until(() => bodies.length === 1);
    return toRoles(bodies[0]?.messages ?? bodies[0]?.input);
  };

  test.each([
    ['chat completions', createChatCompletionsClient],
    ['responses', createResponsesClient],
  ] as const)('%s: a prompt asks for the rest of a paused reply, in every later request too', async (_wire, create) => {
    expect(await asked(paused.slice(0, 2), create)).toEqual(['user', 'assistant', 'user']);
    expect(await asked(paused, create)).toEqual(['user', 'assistant', 'user', 'assistant']);
    const [question] = paused;
    expect(await asked([...paused.slice(0, 2), ...(question ? [question] : [])], create)).toEqual([
      'user',
      'assistant',
      'user',
    ]);
  });

  test("the browser's own model: a prompt asks for the rest of a paused reply", () => {
    expect(toPromptMessages(paused.slice(0, 2)).map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });
});

describe('a reply that the provider has paused', () => {
  test('is sent back unchanged, and the next reply continues it', async () => {
    const { client, bodies } = serve(stream('pause_turn', pausing), stream('end_turn', going));
    const session = await open(createAgent({ client }));
    const { outcome, message } = await session.send('Which brook is the longest?');
    expect(outcome).toBe('completed');
    expect(message && extractTextContent(message)).toBe('It is the Roe.');
    expect(session.getMessages().map(({ finish }) => finish)).toEqual([undefined, 'pause', 'stop']);
    expect(bodies.map(messagesOf)).toEqual([[question], [question, { role: 'assistant', content: pausing }]]);
  });

  test('stays at the beginning of every later request', async () => {
    const { client, bodies } = serve(stream('pause_turn', pausing), stream('end_turn', going), stream('end_turn', []));
    const session = await open(createAgent({ client }));
    await session.send('Which brook is the longest?');
    await session.send('Thank you.');
    expect(messagesOf(bodies[2])).toEqual([
      question,
      { role: 'assistant', content: pausing },
      { role: 'assistant', content: going },
      { role: 'user', content: [text('Thank you.')] },
    ]);
  });

  test('continues in the container in which its tools ran', async () => {
    const { client, bodies } = serve(
      stream('pause_turn', pausing, 'container_1'),
      stream('end_turn', going, 'container_1'),
      stream('end_turn', [text('Yes.')]),
    );
    const session = await open(createAgent({ client, providerParams: { container: { skills: [] } } }));
    await session.send('Which brook is the longest?');
    await session.send('Sure?');
    expect(bodies.map(({ container }) => container)).toEqual([
      { skills: [] },
      { skills: [], id: 'container_1' },
      { skills: [] },
    ]);
    const plain = serve(stream('pause_turn', pausing, 'container_1'), stream('end_turn', going));
    await (await open(createAgent({ client: plain.client }))).send('Which brook is the longest?');
    expect(plain.bodies.map(({ container }) => container)).toEqual([undefined, 'container_1']);
  });

  test('is continued up to the step limit of the run, and again after a resume', async () => {
    const pause = stream('pause_turn', [search('s1')]);
    const { client, bodies } = serve(pause, pause, pause, stream('end_turn', [found('s1'), text('The Roe.')]));
    const session = await open(createAgent({ client, maxSteps: 3 }));
    expect((await session.send('Which brook is the longest?')).outcome).toBe('limit');
    expect(session.getState().run?.limit).toBe('steps');
    expect(bodies).toHaveLength(3);
    expect((await session.resume()).outcome).toBe('completed');
    expect(bodies).toHaveLength(4);
  });

  test('is continued after a reload during the pause, by the same request', async () => {
    const store = createMemoryStore();
    const ports = createManualPorts();
    const before = serve(stream('pause_turn', pausing));
    const session = await open(createAgent({ client: before.client, store, ports }));
    const sent = session.send('Which brook is the longest?');
    await until(() => before.bodies.length === 2);
    ports.hide(true);
    expect((await sent).outcome).toBe('interrupted');
    await session.flushed();

    const after = serve(stream('end_turn', going));
    const agent = createAgent({ client: after.client, store, ports: createManualPorts('after') });
    const again = await agent.openSession(session.id);
    expect(again.getStatus()).toBe('interrupted');
    expect((await again.resume()).outcome).toBe('completed');
    expect(after.bodies).toEqual([before.bodies[1]]);
  });

  test('delivers steering messages after the pause', async () => {
    const { client, bodies } = serve(
      stream('pause_turn', pausing),
      stream('end_turn', going),
      stream('end_turn', [text('The Inn.')]),
    );
    const session = await open(createAgent({ client }));
    session.events$.subscribe((event) => {
      if (event.type === 'reply.ended' && event.finish === 'pause')
        void session.send('And in Tyrol?', { whenBusy: 'steer' });
    });
    await session.send('Which brook is the longest?');
    expect(messagesOf(bodies[1])).toEqual([question, { role: 'assistant', content: pausing }]);
    expect(messagesOf(bodies[2])).toMatchObject([{}, {}, { content: going }, { content: [text('And in Tyrol?')] }]);
  });

  test('loses uses without a result where a person sends another message instead', async () => {
    const { client, bodies } = serve(stream('pause_turn', pausing), stream('end_turn', [text('Fine.')]));
    const session = await open(createAgent({ client, maxSteps: 1 }));
    await session.send('Which brook is the longest?');
    await session.send('Never mind.');
    expect(messagesOf(bodies[1])).toEqual([
      question,
      { role: 'assistant', content: pausing.slice(0, -1) },
      { role: 'user', content: [text('Never mind.')] },
    ]);
  });
});

test('keeps an open use at the provider beside a call of the page, since its result follows the result of the call', async () => {
  const call = { type: 'tool_use', id: 't1', name: 'add', input: { a: 1 } };
  const { client, bodies } = serve(stream('tool_use', [search('s1'), call]), stream('end_turn', going));
  const add = defineTool({ name: 'add', description: '', input: { type: 'object' }, execute: () => 'two' });
  const session = await open(createAgent({ client, tools: [add] }));
  await session.send('Which brook is the longest?');
  expect(messagesOf(bodies[1])).toMatchObject([
    question,
    { role: 'assistant', content: [search('s1'), { type: 'tool_use' }] },
    { role: 'user', content: [{ type: 'tool_result', content: 'two' }] },
  ]);
});

async function until(condition: () => boolean): Promise<void> {
  // Not `settled`: a read from a stream, or a loaded part, needs a turn of the event loop.
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
