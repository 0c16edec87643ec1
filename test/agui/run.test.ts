import { HttpAgent, type RunAgentInput } from '@ag-ui/client';
import { type AgentSession, createAgent, defineTool, extractTextContent, type Message, toolParts } from 'brooklet';
import {
  type AGUIEvent,
  createAGUIClient,
  createAGUIInterruptTool,
  fromAGUIMessages,
  runAGUI,
  toAGUIMessages,
} from 'brooklet/agui';
import { resultText } from '../../src/core/model/tool-result.ts';
import { toJson } from '../../src/core/json.ts';
import { AGUIAgent } from 'brooklet/agui/agent';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import fc from 'fast-check';
import { lastValueFrom, toArray } from 'rxjs';
import { afterEach, describe, expect, test } from 'vitest';
import { createManualClient, say, settled } from '../support/manual-client.ts';
import { startServer, type TestServer } from '../support/llm-server.ts';
import { until } from '../support/until.ts';

const pay = defineTool({
  name: 'pay',
  description: 'Pays.',
  input: { type: 'object', properties: { amount: { type: 'number' } } },
  needsApproval: true,
  execute: ({ amount }) => `paid ${JSON.stringify(amount)}`,
});
const ask = defineTool({
  name: 'ask',
  description: 'Asks.',
  input: { type: 'object' },
  answer: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  execute: (_input, { answer }) => JSON.stringify(answer),
});

/** An agent that calls a tool after the first message, and then states how the call ended. */
const cashier = (name = 'pay', store = createMemoryStore()) =>
  createAgent({
    store,
    tools: [pay, ask],
    client: createScriptedClient(({ messages }) => {
      const call = toolParts(messages.at(-1) ?? expect.unreachable())[0];
      return call ? [reply.text(`It is ${call.status}: ${resultText(call)}.`)] : [reply.call(name, { amount: 5 })];
    }),
  });

const user = (content: string, id = content) => ({ id, role: 'user', content }) as const;
const noInterrupt = { id: '', reason: '' };
const texts = (agent: AGUIAgent | HttpAgent) => agent.messages.map(({ role, content }) => [role, content]);

describe('a front end of AG-UI drives an agent of the page', () => {
  test('sends, streams, and has the same conversation as the session', async () => {
    const agent = createAgent({ client: createScriptedClient([[reply.reasoning('Hm'), reply.text('Hello!')]]) });
    const theirs = new AGUIAgent({ agent, threadId: 't' });
    theirs.addMessage(user('Hi'));
    const deltas: string[] = [];
    const { newMessages } = await theirs.runAgent(
      { runId: 'r1' },
      { onTextMessageContentEvent: ({ event }) => void deltas.push(event.delta) },
    );
    expect(newMessages).toMatchObject([
      { role: 'reasoning', content: 'Hm' },
      { role: 'assistant', content: 'Hello!' },
    ]);
    expect(deltas.join('')).toBe('Hello!');
    const session = agent.getSession('t') ?? expect.unreachable();
    expect(session.getMessages().map(extractTextContent)).toEqual(['Hi', 'Hello!']);
    expect(toAGUIMessages(session.getMessages())[0]).toEqual(user('Hi'));
  });

  test('approves, with other arguments, and rejects: an interrupt of theirs is an approval here', async () => {
    const agent = cashier();
    const theirs = new AGUIAgent({ agent, threadId: 't' });
    theirs.addMessage(user('Pay'));
    await theirs.runAgent();
    const [interrupt] = theirs.pendingInterrupts;
    expect(interrupt).toMatchObject({ reason: 'tool_call', message: 'Run pay?' });
    expect(interrupt).toHaveProperty('responseSchema.properties.editedArgs', pay.inputSchema);
    const payload = { approved: true, editedArgs: { amount: 7 } };
    await theirs.runAgent({ resume: [{ interruptId: interrupt?.id ?? '', status: 'resolved', payload }] });
    expect(texts(theirs).at(-1)?.[1]).toContain('paid 7.');
    expect(theirs.pendingInterrupts).toEqual([]);

    theirs.addMessage(user('Again'));
    await theirs.runAgent();
    const [second] = theirs.pendingInterrupts;
    const denied = { approved: false, reason: 'too dear' };
    await theirs.runAgent({ resume: [{ interruptId: second?.id ?? '', status: 'resolved', payload: denied }] });
    const calls = agent.getSession('t')?.getMessages().flatMap(toolParts) ?? [];
    expect(calls.map(({ status, approval }) => [status, approval?.reason])).toEqual([
      ['succeeded', undefined],
      ['rejected', 'too dear'],
    ]);
  });

  test('answers a question, and is told when the answer does not fit', async () => {
    const agent = cashier('ask');
    const theirs = new AGUIAgent({ agent, threadId: 't' });
    theirs.addMessage(user('Where?'));
    await theirs.runAgent();
    const [{ id: interruptId, reason } = noInterrupt] = theirs.pendingInterrupts;
    expect(reason).toBe('input_required');
    const errors: string[] = [];
    const onRunErrorEvent = ({ event }: { event: { code?: string } }) => void errors.push(event.code ?? '');
    await theirs.runAgent({ resume: [{ interruptId, status: 'resolved', payload: 1 }] }, { onRunErrorEvent });
    expect(errors).toEqual(['INVALID_INPUT']);
    await theirs.runAgent({ resume: [{ interruptId, status: 'resolved', payload: { city: 'Bern' } }] });
    expect(texts(theirs).at(-1)?.[1]).toContain('{"city":"Bern"}');
  });

  test('continues after a reload: connects, and decides the call that waits in the store', async () => {
    const store = createMemoryStore();
    const first = cashier('pay', store);
    const before = new AGUIAgent({ agent: first, threadId: 't' });
    before.addMessage(user('Pay'));
    await before.runAgent();
    await first.dispose();

    const theirs = new AGUIAgent({ agent: cashier('pay', store), threadId: 't' });
    await theirs.connectAgent();
    expect(theirs.messages).toMatchObject([{ content: 'Pay' }, { toolCalls: [{ function: { name: 'pay' } }] }]);
    const [{ id: interruptId } = noInterrupt] = theirs.pendingInterrupts;
    await theirs.runAgent({ resume: [{ interruptId, status: 'cancelled' }] });
    expect(texts(theirs).at(-1)?.[1]).toContain('It is rejected');
  });

  test('regenerates the answer to a message that the session has, and cancels a run', async () => {
    const client = createManualClient();
    const agent = createAgent({ client });
    const theirs = new AGUIAgent({ agent, threadId: 't' });
    theirs.addMessage(user('Hi'));
    const first = theirs.runAgent();
    await until(() => client.last());
    say(client.last(), 'One');
    await first;
    theirs.setMessages(theirs.messages.slice(0, 1));
    const outcomes: string[] = [];
    const second = theirs.runAgent({}, { onRunFinishedEvent: ({ outcome }) => void outcomes.push(outcome) });
    await until(() => expect(client.asked).toHaveLength(2));
    client.last().chunks.next({ type: 'text', text: 'Tw' });
    theirs.abortRun();
    await second;
    expect(outcomes).toEqual(['cancelled']);
    expect(client.last().aborted).toBe(true);
    const session = agent.getSession('t') ?? expect.unreachable();
    expect(session.getMessages().filter(({ role }) => role === 'user')).toHaveLength(1);
  });

  test('shares its state as metadata of the session, both ways', async () => {
    const agent: ReturnType<typeof createAgent> = createAgent({
      client: createScriptedClient([[reply.call('note')], [reply.text('Noted.')]]),
      tools: [
        defineTool({
          name: 'note',
          description: '',
          input: { type: 'object' },
          execute: (_input, { sessionId }) => agent.getSession(sessionId)?.setMetadata({ city: 'Bern', done: true }),
        }),
      ],
    });
    const theirs = new AGUIAgent({ agent, threadId: 't', initialState: { city: 'Bern' } });
    theirs.addMessage(user('Note'));
    await theirs.runAgent();
    expect(theirs.state).toEqual({ city: 'Bern', done: true });
    expect(agent.getSession('t')?.getState().metadata).toEqual({ city: 'Bern', done: true });
  });

  test('begins a session with the history of the page, whose calls never run', async () => {
    const agent = createAgent({ client: createScriptedClient([[reply.text('Yes.')]]), tools: [pay] });
    const theirs = new AGUIAgent({
      agent,
      threadId: 't',
      initialMessages: [
        user('Pay'),
        {
          id: 'a',
          role: 'assistant',
          toolCalls: [{ id: 'c', type: 'function', function: { name: 'pay', arguments: '{}' } }],
        },
        { id: 'x', role: 'tool', toolCallId: 'c', content: 'paid' },
        user('Sure?'),
      ],
    });
    await theirs.runAgent();
    const session = agent.getSession('t') ?? expect.unreachable();
    expect(session.getMessages().map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
    expect(session.getMessages().flatMap(toolParts)).toMatchObject([{ status: 'succeeded', output: 'paid' }]);
  });

  test('a clone drives the same agent', async () => {
    const agent = createAgent({ client: createScriptedClient([[reply.text('Hello!')]]) });
    const theirs = new AGUIAgent({ agent, threadId: 't' }).clone();
    theirs.addMessage(user('Hi'));
    await theirs.runAgent();
    expect(texts(theirs)).toEqual([
      ['user', 'Hi'],
      ['assistant', 'Hello!'],
    ]);
  });
});

const run = (agent: ReturnType<typeof createAgent>, input: object): Promise<AGUIEvent[]> =>
  lastValueFrom(runAGUI(agent, { threadId: 't', runId: 'r', messages: [], ...input }).pipe(toArray()));

describe('an input that does not fit', () => {
  test.each<[string, object]>([
    ['no message of the user', { messages: [{ id: 'a', role: 'assistant', content: 'Hi' }] }],
    ['an empty message', { messages: [user('')] }],
    ['no thread', { threadId: '', messages: [user('Hi')] }],
    ['an answer to nothing', { messages: [user('Hi')], resume: [{ interruptId: 'i', status: 'cancelled' }] }],
    ['a function in it', { messages: [user('Hi')], state: { f: () => 1 } }],
    ['messages that are no list', { messages: 'x' as unknown as [] }],
  ])('is one run with the error: %s', async (_what, input) => {
    const events = await run(cashier(), input);
    expect(events).toMatchObject([{ type: 'RUN_STARTED' }, { type: 'RUN_ERROR', code: 'INVALID_INPUT' }]);
  });

  test('an interrupt without an answer stays open, and no message is sent', async () => {
    const agent = cashier();
    await run(agent, { messages: [user('Pay')] });
    expect(await run(agent, { messages: [user('Pay'), user('More')] })).toMatchObject([
      { type: 'RUN_STARTED' },
      { type: 'RUN_ERROR', code: 'INVALID_INPUT', message: expect.stringContaining('no entry') },
    ]);
    expect(agent.getSession('t')?.getStatus()).toBe('waiting');
    expect(agent.getSession('t')?.getMessages()).toHaveLength(2);
  });

  test('a session that runs is left alone', async () => {
    const client = createManualClient();
    const agent = createAgent({ client });
    const first = run(agent, { messages: [user('Hi')] });
    await until(() => client.last());
    expect((await run(agent, { messages: [user('Hi'), user('More')] })).at(-1)).toMatchObject({ code: 'SESSION_BUSY' });
    say(client.last(), 'Hello');
    expect((await first).at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
  });

  test('a subscriber that leaves does not cancel the run', async () => {
    const client = createManualClient();
    const agent = createAgent({ client });
    const subscription = runAGUI(agent, { threadId: 't', runId: 'r', messages: [user('Hi')] }).subscribe();
    await until(() => client.last());
    subscription.unsubscribe();
    say(client.last(), 'Hello');
    await settled();
    expect(agent.getSession('t')?.getMessages().map(extractTextContent)).toEqual(['Hi', 'Hello']);
  });
});

let server: TestServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

/** A server for AG-UI around an agent of this package. */
async function serve(agent: ReturnType<typeof createAgent>): Promise<string> {
  server = await startServer((response, { body }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    runAGUI(agent, JSON.parse(body) as RunAgentInput).subscribe({
      next: (event) => response.write(`data: ${JSON.stringify(event)}\n\n`),
      complete: () => response.end(),
    });
  });
  return server.url;
}

describe('an agent behind a server', () => {
  test('asks the person of another page, and goes on with the decision', async () => {
    const url = await serve(cashier());
    const page = createAgent({ client: createAGUIClient({ url }), tools: [createAGUIInterruptTool()] });
    const session: AgentSession = await page.openSession(page.createSession());
    const sent = session.send('Pay');
    await until(() => expect(session.getStatus()).toBe('waiting'));
    const [call] = session.getMessages().flatMap(toolParts);
    expect(call?.input).toMatchObject({ tool: 'pay', input: { amount: 5 } });
    await session.approve(call?.callId ?? '', { input: { ...call?.input, input: { amount: 9 } } });
    const { outcome, message } = await sent;
    expect(outcome).toBe('completed');
    expect(extractTextContent(message ?? expect.unreachable())).toContain('paid 9.');
  });

  test('is used by the protocol’s own client over HTTP', async () => {
    const theirs = new HttpAgent({ url: await serve(cashier()), threadId: 't' });
    theirs.addMessage(user('Pay'));
    await theirs.runAgent();
    const [{ id: interruptId } = noInterrupt] = theirs.pendingInterrupts;
    await theirs.runAgent({ resume: [{ interruptId, status: 'resolved', payload: { approved: true } }] });
    expect(texts(theirs).at(-1)?.[1]).toBe('It is succeeded: paid 5.');
  });
});

test('messages keep their content on the way to AG-UI and back', () => {
  const text = fc.string({ minLength: 1 });
  const part = fc.oneof(
    text.map((value) => ({ type: 'text', text: value }) as const),
    fc.constant({ type: 'image', mediaType: 'image/png', data: 'QUJD' } as const),
    fc.constant({ type: 'audio', mediaType: 'audio/mpeg', url: 'https://example.com/a.mp3' } as const),
    fc.constant({ type: 'file', mediaType: 'application/pdf', data: 'QUJD' } as const),
  );
  const call = fc
    .record({ amount: fc.integer() })
    .chain((input) =>
      fc
        .constantFrom(
          { status: 'succeeded', output: 'paid', isError: false } as const,
          { status: 'failed', output: 'no money', isError: true } as const,
        )
        .map(
          (end) =>
            ({ type: 'tool', callId: '', name: 'pay', inputText: JSON.stringify(input), input, ...end }) as const,
        ),
    );
  const message = fc.oneof(
    fc.tuple(fc.constant('user' as const), fc.array(part, { minLength: 1, maxLength: 3 })),
    fc.tuple(fc.constant('system' as const), fc.tuple(text.map((value) => ({ type: 'text', text: value }) as const))),
    fc.tuple(
      fc.constant('assistant' as const),
      fc.tuple(
        text.map((value) => ({ type: 'text', text: value }) as const),
        call,
      ),
    ),
  );
  fc.assert(
    fc.property(fc.array(message, { maxLength: 5 }), (list) => {
      const given = list.map(([role, content], index): Message => ({
        id: `m${index}`,
        role,
        timestamp: 0,
        content: content.map((one) => (one.type === 'tool' ? { ...one, callId: `c${index}` } : one)),
      }));
      const back = fromAGUIMessages(toAGUIMessages(given).map((one) => toJson(one)));
      const joined = (content: Message['content']) =>
        content.every(({ type }) => type === 'text')
          ? [{ type: 'text', text: content.map((one) => (one.type === 'text' ? one.text : '')).join('\n') }]
          : content;
      expect(back).toEqual(given.map(({ id, role, content }) => ({ id, role, content: joined(content) })));
    }),
  );
});
