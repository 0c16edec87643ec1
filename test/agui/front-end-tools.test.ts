import type { RunAgentInput } from '@ag-ui/client';
import { type Agent, createAgent, defineTool, extractTextContent, type LLMRequest, toolParts } from 'brooklet';
import { type AGUIEvent, createAGUIClient, runAGUI } from 'brooklet/agui';
import { AGUIAgent } from 'brooklet/agui/agent';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import fc from 'fast-check';
import { lastValueFrom, toArray } from 'rxjs';
import { afterEach, describe, expect, test } from 'vitest';
import { resultText } from '../../src/core/model/tool-result.ts';
import { startServer, type TestServer } from '../support/llm-server.ts';
import { seededInFull } from '../support/seeded.ts';
import { verify } from '../support/verify-agui.ts';

const colour = {
  name: 'pick_colour',
  description: 'Asks for a colour.',
  parameters: { type: 'object', properties: { of: { type: 'string' } }, required: ['of'] },
};
const other = { name: 'scroll', description: 'Scrolls.', parameters: {} };
const pay = defineTool({
  name: 'pay',
  description: 'Pays.',
  input: { type: 'object' },
  needsApproval: true,
  execute: () => 'paid',
});

/** An agent that makes these calls after each message, and then states how they ended. */
function painter(names: readonly string[] = ['pick_colour'], store = createMemoryStore()) {
  const requests: LLMRequest[] = [];
  const agent = createAgent({
    store,
    tools: [pay],
    client: createScriptedClient((request) => {
      requests.push(request);
      const last = request.messages.findLast(({ role }) => role === 'assistant');
      const calls = last ? toolParts(last) : [];
      const isAnswered = request.messages.at(-1)?.role === 'assistant';
      return isAnswered
        ? [reply.text(calls.map((call) => `${call.name} ${call.status}: ${resultText(call)}`).join('; '))]
        : names.map((name) => reply.call(name, { of: 'the sky' }));
    }),
  });
  return { agent, requests, offered: () => requests.at(-1)?.tools?.map(({ name }) => name) };
}

const user = (content: string) => ({ id: content, role: 'user', content }) as const;
const resultOf = (toolCallId: string, content: string, more: object = {}) =>
  ({ id: `${toolCallId}-theirs`, role: 'tool', toolCallId, content, ...more }) as const;

/** Performs a run, whose events the protocol's own verifier must accept. */
async function run(agent: Agent, input: object): Promise<readonly AGUIEvent[]> {
  const events = await lastValueFrom(
    runAGUI(agent, { threadId: 't', runId: 'r', messages: [], tools: [colour], ...input }).pipe(toArray()),
  );
  verify(events);
  return events;
}

const callsOf = (events: readonly AGUIEvent[]) =>
  events.flatMap((event) => (event.type === 'TOOL_CALL_START' ? [event.toolCallId] : []));
const textOf = (events: readonly AGUIEvent[]) =>
  events.map((event) => (event.type === 'TEXT_MESSAGE_CONTENT' ? event.delta : '')).join('');
const statuses = (agent: Agent, thread = 't') =>
  agent
    .getSession(thread)
    ?.getMessages()
    .flatMap(toolParts)
    .map(({ status }) => status);

describe('a tool that the front end runs', () => {
  test('is called by the agent, run by the protocol’s own front end, and its result continues the run', async () => {
    const { agent, requests } = painter();
    const theirs = new AGUIAgent({ agent, threadId: 't' });
    theirs.addMessage(user('Paint'));
    const outcomes: unknown[] = [];
    const subscriber = { onRunFinishedEvent: (finished: object) => void outcomes.push(finished) };
    await theirs.runAgent({ tools: [colour] }, subscriber);
    expect(requests[0]?.tools).toContainEqual({
      name: 'pick_colour',
      description: 'Asks for a colour.',
      inputSchema: colour.parameters,
    });
    const [call] = theirs.messages.flatMap((message) =>
      message.role === 'assistant' ? (message.toolCalls ?? []) : [],
    );
    expect(call?.function).toEqual({ name: 'pick_colour', arguments: '{"of":"the sky"}' });
    expect(theirs.pendingInterrupts).toEqual([]);
    expect(outcomes).toMatchObject([{ outcome: 'success' }]);

    theirs.addMessage(resultOf(call?.id ?? '', 'blue'));
    await theirs.runAgent({ tools: [colour] });
    expect(theirs.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
    expect(theirs.messages.at(-1)?.content).toBe('pick_colour succeeded: blue');
  });

  test('takes a result after a reload, also with a new schema or without the tool', async () => {
    for (const tools of [[colour], [{ ...colour, parameters: { type: 'object', required: ['until'] } }], []]) {
      const store = createMemoryStore();
      const before = painter(undefined, store);
      const [callId = ''] = callsOf(await run(before.agent, { messages: [user('Paint')] }));
      await before.agent.dispose();
      const { agent } = painter(undefined, store);
      const events = await run(agent, { messages: [user('Paint'), resultOf(callId, 'blue')], tools });
      expect(textOf(events)).toBe('pick_colour succeeded: blue');
    }
  });

  test('may fail, and may return an image', async () => {
    const failed = painter().agent;
    const [first = ''] = callsOf(await run(failed, { messages: [user('Paint')] }));
    const error = { messages: [resultOf(first, 'no colours left', { error: 'EMPTY' })] };
    expect(textOf(await run(failed, error))).toBe('pick_colour failed: no colours left');

    const { agent } = painter();
    const [second = ''] = callsOf(await run(agent, { messages: [user('Paint')] }));
    const image = { type: 'image', source: { type: 'data', value: 'QUJD', mimeType: 'image/png' } };
    await run(agent, { messages: [{ ...resultOf(second, ''), content: [image] }] });
    const [call] = agent.getSession('t')?.getMessages().flatMap(toolParts) ?? [];
    expect(call?.output).toEqual([{ type: 'image', mediaType: 'image/png', data: 'QUJD' }]);
  });

  test('waits beside a call that a person decides: the interrupt and the result are sent together, or one by one', async () => {
    for (const isTogether of [true, false]) {
      const { agent } = painter(['pay', 'pick_colour']);
      const events = await run(agent, { messages: [user('Paint')] });
      const [paid = '', picked = ''] = callsOf(events);
      expect(events.at(-1)).toMatchObject({ outcome: { type: 'interrupt', interrupts: [{ id: paid }] } });
      const resume = [{ interruptId: paid, status: 'resolved', payload: { approved: true } }];
      const messages = [resultOf(picked, 'blue')];
      if (!isTogether) {
        const between = await run(agent, { resume });
        expect(between.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } });
        expect(between).toContainEqual(expect.objectContaining({ type: 'TOOL_CALL_RESULT', toolCallId: paid }));
      }
      const last = await run(agent, isTogether ? { resume, messages } : { messages });
      expect(textOf(last)).toBe('pay succeeded: paid; pick_colour succeeded: blue');
      expect(last.filter((event) => event.type === 'TOOL_CALL_RESULT' && event.toolCallId === picked)).toEqual([]);
    }
  });

  test('is rejected when the front end sends a new message in the place of its result', async () => {
    const { agent } = painter();
    await run(agent, { messages: [user('Paint')] });
    const events = await run(agent, { messages: [user('Paint'), user('Never mind')] });
    expect(events).toContainEqual(expect.objectContaining({ type: 'TOOL_CALL_RESULT' }));
    expect(statuses(agent)?.[0]).toBe('rejected');
  });
});

describe('the tools of a front end', () => {
  test('belong to their thread', async () => {
    const { agent, offered } = painter(['nothing']);
    await run(agent, { threadId: 'a', messages: [user('Hi')] });
    expect(offered()).toEqual(['pay', 'pick_colour']);
    await run(agent, { threadId: 'b', messages: [user('Hi')], tools: [other] });
    expect(offered()).toEqual(['pay', 'scroll']);
    await run(agent, { threadId: 'c', messages: [user('Hi')], tools: [] });
    expect(offered()).toEqual(['pay']);
  });

  test('are those of the latest run, and the agent’s own tool is back when one of its name goes', async () => {
    const { agent, requests, offered } = painter(['nothing']);
    await run(agent, { messages: [user('1')], tools: [colour, { ...other, name: 'pay' }] });
    expect(requests.at(-1)?.tools?.map(({ description }) => description)).toEqual(['Scrolls.', 'Asks for a colour.']);
    await run(agent, { messages: [user('2')], tools: [{ ...colour, description: 'New.' }] });
    expect(requests.at(-1)?.tools?.map(({ description }) => description)).toEqual(['Pays.', 'New.']);
    await run(agent, { messages: [user('3')], tools: undefined });
    expect(offered()).toEqual(['pay']);
  });

  test('a call that waits keeps its tool', async () => {
    const { agent } = painter();
    const [callId = ''] = callsOf(await run(agent, { messages: [user('Paint')] }));
    const events = await run(agent, { messages: [resultOf(callId, 'blue')], tools: [other] });
    expect(textOf(events)).toBe('pick_colour succeeded: blue');
  });

  test.each<[string, readonly object[]]>([
    ['a name that providers refuse', [{ ...colour, name: 'pick a colour' }]],
    ['no name', [{}]],
    ['two of one name', [colour, colour]],
    ['a schema of something else than an object', [{ ...colour, parameters: { type: 'string' } }]],
  ])('are refused, and nothing is sent: %s', async (_what, tools) => {
    const { agent, requests } = painter();
    const events = await run(agent, { messages: [user('Hi')], tools });
    expect(events.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'INVALID_INPUT' });
    expect(requests).toEqual([]);
    expect(agent.getSession('t')?.getMessages()).toEqual([]);
  });
});

describe('the result of a call', () => {
  test('is missing: the run is refused, and the call still waits', async () => {
    const { agent } = painter();
    await run(agent, { messages: [user('Paint')] });
    const events = await run(agent, { messages: [user('Paint')] });
    expect(events.at(-1)).toMatchObject({ code: 'INVALID_INPUT', message: expect.stringContaining('no result') });
    expect(statuses(agent)).toEqual(['awaiting-approval']);
  });

  test('comes twice: the second run tells the conversation, and nothing runs again', async () => {
    const { agent, requests } = painter();
    const [callId = ''] = callsOf(await run(agent, { messages: [user('Paint')] }));
    const input = { messages: [user('Paint'), resultOf(callId, 'blue')] };
    await run(agent, input);
    const asked = requests.length;
    expect((await run(agent, input)).map(({ type }) => type)).toEqual([
      'RUN_STARTED',
      'MESSAGES_SNAPSHOT',
      'RUN_FINISHED',
    ]);
    expect(requests).toHaveLength(asked);
  });

  test('of a call that the thread does not have is refused: an agent without a store has lost it', async () => {
    const { agent, requests } = painter();
    const events = await run(agent, { messages: [user('Paint'), resultOf('c', 'blue')] });
    expect(events.at(-1)).toMatchObject({ code: 'INVALID_INPUT', message: expect.stringContaining('store') });
    expect(requests).toEqual([]);
  });
});

let server: TestServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

test('a page’s tool is called by an agent of this package behind a server', async () => {
  const remote = painter(['look']).agent;
  server = await startServer((response, { body }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    runAGUI(remote, JSON.parse(body) as RunAgentInput).subscribe({
      next: (event) => response.write(`data: ${JSON.stringify(event)}\n\n`),
      complete: () => response.end(),
    });
  });
  const inputs: unknown[] = [];
  const look = defineTool({
    name: 'look',
    description: 'Looks.',
    input: { type: 'object' },
    execute: (input) => {
      inputs.push(input);
      return 'a brook';
    },
  });
  const page = createAgent({ client: createAGUIClient({ url: server.url }), tools: [look] });
  const session = await page.openSession(page.createSession());
  const { outcome, message } = await session.send('Look');
  expect([outcome, inputs]).toEqual(['completed', [{ of: 'the sky' }]]);
  expect(extractTextContent(message ?? expect.unreachable())).toBe('look succeeded: a brook');
});

test('every run of a front end with tools passes the protocol’s own verifier, whatever it sends', async () => {
  const names = fc.subarray(['pick_colour', 'scroll', 'pay', 'missing'], { minLength: 1 });
  const act = fc.record({
    results: fc.subarray([0, 1, 2, 3]),
    decides: fc.boolean(),
    message: fc.boolean(),
    tools: fc.subarray([colour, other]),
  });
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(names, fc.array(act, { minLength: 1, maxLength: 5 }), async (calls, acts) => {
      const { agent } = painter(calls);
      const session = await agent.openSession(agent.createSession({ id: 't' }));
      await run(agent, { messages: [user('Paint')], tools: [colour, other] });
      for (const [index, { results, decides, message, tools }] of acts.entries()) {
        const waiting = session
          .getMessages()
          .flatMap(toolParts)
          .filter(({ status }) => status === 'awaiting-approval');
        const sent = waiting.filter(({ name }, place) => name !== 'pay' && results.includes(place));
        const asked = waiting.filter(({ name }) => name === 'pay' && decides);
        const events = await run(agent, {
          messages: [
            user('Paint'),
            ...sent.map(({ callId }) => resultOf(callId, 'done')),
            ...(message ? [user(`More ${index}`)] : []),
          ],
          resume: asked.map(({ callId }) => ({ interruptId: callId, status: 'resolved', payload: true })),
          tools,
        });
        const end = events.at(-1);
        const kind = end?.type === 'RUN_FINISHED' ? end.outcome.type : (end?.type ?? '');
        seen.set(kind, (seen.get(kind) ?? 0) + 1);
        // Each result that the front end sent is one that the agent has.
        if (kind !== 'RUN_ERROR')
          for (const { callId } of sent)
            expect(session.getMessages().flatMap(toolParts)).toContainEqual(
              expect.objectContaining({ callId, status: 'succeeded' }),
            );
      }
    }),
    seededInFull(40),
  );
  for (const kind of ['success', 'interrupt', 'RUN_ERROR'])
    expect([kind, (seen.get(kind) ?? 0) > 5]).toEqual([kind, true]);
});
