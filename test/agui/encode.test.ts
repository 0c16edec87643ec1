import { HttpAgent } from '@ag-ui/client';
import { EventSchemas } from '@ag-ui/core/schemas';
import { type AgentSession, createAgent, defineTool, extractTextContent, type LLMChunk, toolParts } from 'brooklet';
import { type AGUIEvent, createAGUIClient, toAGUIEvents } from 'brooklet/agui';
import { createScriptedClient, reply } from 'brooklet/testing';
import { lastValueFrom, toArray } from 'rxjs';
import { afterEach, expect, test } from 'vitest';
import { createManualClient, say, settled } from '../support/manual-client.ts';
import { startServer, stream, type TestServer } from '../support/llm-server.ts';

const look = defineTool({ name: 'look', description: '', input: { type: 'object' }, execute: () => 'a brook' });
const pay = defineTool({
  name: 'pay',
  description: '',
  input: { type: 'object' },
  needsApproval: true,
  execute: () => 'paid',
});

function stage(client = createManualClient()) {
  const agent = createAgent({ client, tools: [look, pay] });
  const session = agent.getSession(agent.createSession()) ?? expect.unreachable();
  const events: AGUIEvent[] = [];
  toAGUIEvents(session).subscribe((event) => events.push(event));
  return { client, session, events };
}

const typesOf = (events: readonly AGUIEvent[]): readonly string[] => events.map(({ type }) => type);
const callIdIn = (session: AgentSession): string => session.getMessages().flatMap(toolParts).at(-1)?.callId ?? '';

let server: TestServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

test('emits a run from its start to its end, with the results of its tools', async () => {
  const { client, session, events } = stage();
  const sent = session.send('Hi');
  await settled();
  const chunks: readonly LLMChunk[] = [
    { type: 'reasoning', text: 'Hm' },
    { type: 'text', text: 'Let me ' },
    { type: 'text', text: 'see.' },
    { type: 'call', index: 0, name: 'look', text: '{' },
    { type: 'call', index: 0, text: '}' },
    { type: 'call-end', index: 0, name: 'look', inputText: '{}' },
    { type: 'usage', usage: { input: 3, output: 2, cached: 1 } },
    { type: 'finish', reason: 'tool-calls', model: 'm' },
  ];
  for (const chunk of chunks) client.last().chunks.next(chunk);
  client.last().chunks.complete();
  await settled();
  say(client.last(), 'A brook.');
  await sent;

  expect(typesOf(events)).toEqual([
    'RUN_STARTED',
    'STEP_STARTED',
    'REASONING_START',
    'REASONING_MESSAGE_START',
    'REASONING_MESSAGE_CONTENT',
    'REASONING_MESSAGE_END',
    'REASONING_END',
    'TEXT_MESSAGE_START',
    'TEXT_MESSAGE_CONTENT',
    'TEXT_MESSAGE_CONTENT',
    'TEXT_MESSAGE_END',
    'TOOL_CALL_START',
    'TOOL_CALL_ARGS',
    'TOOL_CALL_ARGS',
    'TOOL_CALL_END',
    'TOOL_CALL_RESULT',
    'STEP_FINISHED',
    'STEP_STARTED',
    'TEXT_MESSAGE_START',
    'TEXT_MESSAGE_CONTENT',
    'TEXT_MESSAGE_END',
    'STEP_FINISHED',
    'RUN_FINISHED',
  ]);
  expect(events.find(({ type }) => type === 'TOOL_CALL_RESULT')).toMatchObject({ content: 'a brook' });
  expect(events.at(-1)).toMatchObject({
    outcome: { type: 'success' },
    usage: [{ model: 'm', inputTokens: 3, outputTokens: 2, cachedInputTokens: 1 }],
  });
  for (const event of events) expect(EventSchemas.safeParse(event).error).toBeUndefined();
});

test('ends with an interrupt where a call awaits a person, and goes on in another run after the decision', async () => {
  const { client, session, events } = stage();
  const sent = session.send('buy');
  await settled();
  client.last().chunks.next({ type: 'call', index: 0, name: 'pay', text: '{}' });
  client.last().chunks.next({ type: 'call-end', index: 0, name: 'pay', inputText: '{}' });
  client.last().chunks.next({ type: 'finish', reason: 'tool-calls' });
  client.last().chunks.complete();
  await settled();
  const callId = callIdIn(session);
  const [started] = events;
  expect(events.at(-1)).toMatchObject({
    type: 'RUN_FINISHED',
    outcome: {
      type: 'interrupt',
      interrupts: [{ id: callId, toolCallId: callId, reason: 'tool_call', responseSchema: { required: ['approved'] } }],
    },
  });
  const paused = events.length;
  await session.reject(callIdIn(session), { reason: 'too dear' });
  await settled();
  expect(events.slice(paused)).toMatchObject([
    { type: 'RUN_STARTED', runId: `${started?.type === 'RUN_STARTED' && started.runId}-2` },
    { type: 'TOOL_CALL_RESULT', toolCallId: callId, content: expect.stringContaining('too dear') },
    { type: 'STEP_STARTED' },
  ]);
  say(client.last(), 'Then not.');
  await sent;
  expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } });
});

test('closes open messages and calls before a run ends, however it ends', async () => {
  const stopped = stage();
  void stopped.session.send('Hi');
  await settled();
  stopped.client.last().chunks.next({ type: 'call', index: 0, name: 'look', text: '{' });
  stopped.session.cancel();
  expect(typesOf(stopped.events).slice(-4)).toEqual([
    'TOOL_CALL_ARGS',
    'TOOL_CALL_END',
    'STEP_FINISHED',
    'RUN_FINISHED',
  ]);
  expect(stopped.events.at(-1)).toMatchObject({ outcome: { type: 'cancelled' } });

  const cut = stage();
  void cut.session.send('Hi');
  await settled();
  cut.client.last().chunks.next({ type: 'text', text: 'So' });
  cut.client.last().chunks.error(new Error('gone'));
  expect(typesOf(cut.events).slice(-3)).toEqual(['TEXT_MESSAGE_END', 'STEP_FINISHED', 'RUN_ERROR']);
});

test('emits a snapshot first to a subscriber in the middle of a run', async () => {
  const { client, session } = stage();
  const sent = session.send('Hi');
  await settled();
  client.last().chunks.next({ type: 'text', text: 'Hel' });
  const events: AGUIEvent[] = [];
  toAGUIEvents(session).subscribe((event) => events.push(event));
  client.last().chunks.next({ type: 'text', text: 'lo' });
  client.last().chunks.next({ type: 'finish', reason: 'stop' });
  client.last().chunks.complete();
  await sent;
  expect(typesOf(events).slice(0, 2)).toEqual(['RUN_STARTED', 'MESSAGES_SNAPSHOT']);
  expect(events[1]).toMatchObject({ messages: [{ role: 'user' }, { role: 'assistant', content: 'Hel' }] });
  const ids = events.flatMap((event) => (event.type === 'TEXT_MESSAGE_START' ? event.messageId : []));
  expect(ids).toHaveLength(1);
  expect(ids).not.toContain(session.getMessages().at(-1)?.id);
});

/** The stream of a remote agent, made with Brooklet, for one request. */
async function streamOf(script: Parameters<typeof createScriptedClient>[0]): Promise<string> {
  const agent = createAgent({ client: createScriptedClient(script), tools: [look] });
  const session = agent.getSession(agent.createSession()) ?? expect.unreachable();
  const all: AGUIEvent[] = [];
  toAGUIEvents(session).subscribe((event) => all.push(event));
  await session.send('Hi');
  return all.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
}

const script = (_request: unknown, index: number) =>
  index === 0 ? [reply.reasoning('Hm'), reply.text('Let me see. '), reply.call('look')] : [reply.text('A brook.')];

test('is readable by the protocol’s own client, with the same content as a Brooklet page', async () => {
  const text = await streamOf(script);
  server = await startServer((response) => {
    stream(response, text);
    response.end();
  });
  const theirs = new HttpAgent({ url: server.url, threadId: 't' });
  theirs.addMessage({ id: 'u', role: 'user', content: 'Hi' });
  await theirs.runAgent();
  expect(theirs.messages.map(({ role, content }) => [role, content])).toEqual([
    ['user', 'Hi'],
    ['reasoning', 'Hm'],
    ['assistant', 'Let me see. '],
    ['tool', 'a brook'],
    ['assistant', 'A brook.'],
  ]);
});

test('is the same in a session that requests it, in one reply', async () => {
  const text = await streamOf(script);
  server = await startServer((response) => {
    stream(response, text);
    response.end();
  });
  const agent = createAgent({ client: createAGUIClient({ url: server.url }) });
  const outputs = await lastValueFrom(agent.chat(agent.createSession(), 'Hi').pipe(toArray()));
  const { message, outcome } = outputs.at(-1) ?? expect.unreachable();
  expect(outcome).toBe('completed');
  expect(extractTextContent(message)).toBe('Let me see. A brook.');
  expect(message.content.filter(({ type }) => type === 'reasoning')).toMatchObject([{ text: 'Hm' }]);
  expect(message.content.filter((part) => part.type === 'provider' && part.name === 'agui.tool')).toMatchObject([
    { data: { name: 'look', output: 'a brook' } },
  ]);
});
