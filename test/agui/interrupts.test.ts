import { RunAgentInputSchema } from '@ag-ui/core/schemas';
import { type Agent, createAgent, fingerprintOf, type ToolPart, toolParts } from 'brooklet';
import { createAGUIClient, createAGUIInterruptTool } from 'brooklet/agui';
import { createMemoryStore } from 'brooklet/storage';
import { afterEach, describe, expect, test } from 'vitest';
import { startServer, stream, type TestServer } from '../support/llm-server.ts';
import { until } from '../support/until.ts';

let server: TestServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

/** A remote agent that answers each run with the next list of events, which ends with the run's end. */
async function remote(...runs: readonly (readonly object[])[]): Promise<string> {
  let next = 0;
  server = await startServer((response) => {
    const events = [{ type: 'RUN_STARTED', threadId: 't', runId: 'r' }, ...(runs[next++] ?? [finished()])];
    stream(response, events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
    response.end();
  });
  return server.url;
}

const inputs = () => (server?.requests ?? []).map(({ body }) => RunAgentInputSchema.parse(JSON.parse(body)));
const finished = (outcome: object = { type: 'success' }) => ({
  type: 'RUN_FINISHED',
  threadId: 't',
  runId: 'r',
  outcome,
});
const asks = (...interrupts: readonly object[]) => finished({ type: 'interrupt', interrupts });
const says = (messageId: string, delta: string): readonly object[] => [
  { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId, delta },
  { type: 'TEXT_MESSAGE_END', messageId },
];
const proposes = (toolCallId: string, toolCallName: string, args: string): readonly object[] => [
  { type: 'TOOL_CALL_START', toolCallId, toolCallName, parentMessageId: 'm1' },
  { type: 'TOOL_CALL_ARGS', toolCallId, delta: args },
  { type: 'TOOL_CALL_END', toolCallId },
];
const approval = {
  type: 'object',
  properties: { approved: { type: 'boolean' }, editedArgs: { type: 'object' } },
  required: ['approved'],
};
const mail = (more: object = {}) => ({
  id: 'i1',
  reason: 'tool_call',
  message: 'Send the mail?',
  toolCallId: 'tc1',
  responseSchema: approval,
  ...more,
});

const agentFor = (url: string, store = createMemoryStore()): Agent =>
  createAgent({ client: createAGUIClient({ url }), tools: [createAGUIInterruptTool()], store });

async function waitingSession(agent: Agent, sessionId = agent.createSession()) {
  const session = await agent.openSession(sessionId);
  const sent = session.send('Go');
  await until(() => expect(session.getStatus()).toBe('waiting'));
  return { session, sent, calls: () => session.getMessages().flatMap(toolParts) };
}

const onlyCall = (calls: readonly ToolPart[]): ToolPart => calls[0] ?? expect.unreachable();

describe('an interrupt for a tool of the remote agent', () => {
  test('pauses the run as an approval that shows the call, and the approval resumes the remote run', async () => {
    const url = await remote(
      [...says('m1', 'I write.'), ...proposes('tc1', 'send_mail', '{"to":"ada"}'), asks(mail())],
      [
        { type: 'TOOL_CALL_RESULT', messageId: 'x1', toolCallId: 'tc1', content: 'sent' },
        ...says('m2', 'Sent.'),
        finished(),
      ],
      [...says('m3', 'Bye.'), finished()],
    );
    const { session, sent, calls } = await waitingSession(agentFor(url));
    const call = onlyCall(calls());
    expect(call).toMatchObject({
      name: 'agui_interrupt',
      status: 'awaiting-approval',
      input: { id: 'i1', message: 'Send the mail?', tool: 'send_mail', input: { to: 'ada' } },
    });
    await session.approve(call.callId, { fingerprint: fingerprintOf(call) });
    expect((await sent).outcome).toBe('completed');
    await session.send('Bye');

    const [first, second, third] = inputs();
    expect(first?.tools).toEqual([]);
    expect(first?.resume).toBeUndefined();
    expect(second?.resume).toEqual([{ interruptId: 'i1', status: 'resolved', payload: { approved: true } }]);
    expect(second?.threadId).toBe(first?.threadId);
    expect(third?.resume).toBeUndefined();
    // The call is in the conversation once, with the result of the resumed run after it.
    const called = {
      id: 'm1',
      role: 'assistant',
      content: 'I write.',
      toolCalls: [{ id: 'tc1', type: 'function', function: { name: 'send_mail', arguments: '{"to":"ada"}' } }],
    };
    expect(second?.messages.slice(1)).toEqual([called]);
    expect(third?.messages.slice(1, 4)).toEqual([
      called,
      { id: 'x1', role: 'tool', toolCallId: 'tc1', content: 'sent' },
      { id: 'm2', role: 'assistant', content: 'Sent.' },
    ]);
  });

  test('sends a rejection as a denial, and changed arguments as a whole', async () => {
    const run = [...proposes('tc1', 'send_mail', '{"to":"ada"}'), asks(mail())];
    const url = await remote(run, [finished()], run, [finished()]);
    const agent = agentFor(url);
    const one = await waitingSession(agent);
    await one.session.reject(onlyCall(one.calls()).callId);
    await one.sent;
    expect(inputs()[1]?.resume).toEqual([{ interruptId: 'i1', status: 'resolved', payload: { approved: false } }]);
    const two = await waitingSession(agent);
    const call = onlyCall(two.calls());
    await two.session.approve(call.callId, { input: { ...call.input, input: { to: 'grace' } } });
    await two.sent;
    expect(inputs()[3]?.resume).toEqual([
      { interruptId: 'i1', status: 'resolved', payload: { approved: true, editedArgs: { to: 'grace' } } },
    ]);
  });

  test('that accepts no changed arguments is cancelled by them, not approved', async () => {
    const url = await remote([
      ...proposes('tc1', 'send_mail', '{"to":"ada"}'),
      asks(mail({ responseSchema: undefined })),
    ]);
    const { session, sent, calls } = await waitingSession(agentFor(url));
    const call = onlyCall(calls());
    await session.approve(call.callId, { input: { ...call.input, id: 'i2', input: { to: 'grace' } } });
    await sent;
    expect(inputs()[1]?.resume).toEqual([{ interruptId: 'i1', status: 'cancelled' }]);
    expect(onlyCall(calls())).toMatchObject({ status: 'failed', output: expect.stringContaining('no such change') });
  });

  test.each<[string, object]>([
    ['no schema', { responseSchema: undefined }],
    ['a schema without the arguments', { responseSchema: { type: 'object', properties: { approved: {} } } }],
    ['an answer of yes or no', { responseSchema: { type: 'boolean' } }],
    ['a confirmation', { responseSchema: undefined, reason: 'confirmation' }],
  ])(
    'with %s is cancelled where only its arguments were changed: the agent would run the others',
    async (_what, its) => {
      const url = await remote([...proposes('tc1', 'send_mail', '{"to":"ada"}'), asks(mail(its))]);
      const { session, sent, calls } = await waitingSession(agentFor(url));
      const call = onlyCall(calls());
      await session.approve(call.callId, { input: { ...call.input, input: { to: 'grace' } } });
      await sent;
      expect(inputs()[1]?.resume).toEqual([{ interruptId: 'i1', status: 'cancelled' }]);
      expect(onlyCall(calls())).toMatchObject({ status: 'failed', output: expect.stringContaining('no such change') });
    },
  );

  test('whose other fields were changed is cancelled, too: the agent would not see the change', async () => {
    const url = await remote([...proposes('tc1', 'send_mail', '[1]'), asks(mail())]);
    const { session, sent, calls } = await waitingSession(agentFor(url));
    const call = onlyCall(calls());
    expect(call.input).toMatchObject({ inputText: '[1]' });
    await session.approve(call.callId, { input: { ...call.input, inputText: '[2]' } });
    await sent;
    expect(inputs()[1]?.resume).toEqual([{ interruptId: 'i1', status: 'cancelled' }]);
  });

  test('has approval rules of its own: a rule for one remote tool approves no other one', async () => {
    const run = (tool: string) => [...proposes('tc1', tool, '{}'), asks(mail())];
    const url = await remote(run('read'), run('read'), run('delete'));
    const { session, calls } = await waitingSession(agentFor(url));
    await session.approve(onlyCall(calls()).callId, { remember: 'session' });
    await until(() => expect([inputs().length, session.getStatus()]).toEqual([3, 'waiting']));
    expect(calls().map(({ status, input, approval }) => [input?.tool, status, approval?.decidedBy])).toEqual([
      ['read', 'succeeded', 'user'],
      ['read', 'succeeded', 'rule'],
      ['delete', 'awaiting-approval', undefined],
    ]);
    session.cancel();
  });
});

describe('an interrupt that asks for something else', () => {
  const question = {
    id: 'q1',
    reason: 'input_required',
    message: 'Which city?',
    responseSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  };

  test('is an elicitation with the schema of the remote agent; the answer is checked and sent', async () => {
    const url = await remote([asks(question)], [...says('m', 'Rain.'), finished()]);
    const { session, sent, calls } = await waitingSession(agentFor(url));
    const { callId, approval: asked } = onlyCall(calls());
    expect(asked?.elicitation).toMatchObject({ title: 'Which city?', properties: { city: { type: 'string' } } });
    await expect(session.answer(callId, { town: 'Bern' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await session.answer(callId, { city: 'Bern' });
    expect((await sent).outcome).toBe('completed');
    expect(inputs()[1]?.resume).toEqual([{ interruptId: 'q1', status: 'resolved', payload: { city: 'Bern' } }]);
  });

  test('survives a reload, and is answered in another page', async () => {
    const url = await remote([asks(question)], [...says('m', 'Rain.'), finished()]);
    const store = createMemoryStore();
    const first = agentFor(url, store);
    const { session, calls } = await waitingSession(first);
    const { callId } = onlyCall(calls());
    await first.dispose();

    const later = await agentFor(url, store).openSession(session.id);
    expect(later.getStatus()).toBe('waiting');
    await later.answer(callId, { city: 'Bern' });
    await until(() => expect(later.getStatus()).toBe('idle'));
    expect(inputs()[1]).toMatchObject({
      threadId: session.id,
      resume: [{ interruptId: 'q1', status: 'resolved', payload: { city: 'Bern' } }],
    });
  });

  test('is answered in another tab while the first is open', async () => {
    const url = await remote([asks(question)], [...says('m', 'Rain.'), finished()]);
    const store = createMemoryStore();
    const { session, sent, calls } = await waitingSession(agentFor(url, store));
    await session.flushed();
    const other = await agentFor(url, store).openSession(session.id);
    await other.answer(onlyCall(calls()).callId, { city: 'Bern' });
    await sent;
    await until(() => expect(session.getStatus()).toBe('idle'));
    expect(inputs()).toHaveLength(2);
    expect(inputs()[1]?.resume).toEqual([{ interruptId: 'q1', status: 'resolved', payload: { city: 'Bern' } }]);
  });

  test('keeps an answer that looks like content as it is', async () => {
    const url = await remote([asks({ id: 'q1', reason: 'acme:pick' })]);
    const { session, sent, calls } = await waitingSession(agentFor(url));
    const answer = [{ type: 'image', mediaType: 'image/png', data: 'data:image/png;base64,AAAA' }];
    await session.answer(onlyCall(calls()).callId, answer);
    await sent;
    expect(inputs()[1]?.resume?.[0]?.payload).toEqual(answer);
  });

  test('of yes or no is an approval, answered with a boolean', async () => {
    const url = await remote([
      asks({ id: 'y', reason: 'confirmation' }, { id: 'n', reason: 'acme:x', responseSchema: { type: 'boolean' } }),
    ]);
    const { session, sent, calls } = await waitingSession(agentFor(url));
    const [yes, no] = calls();
    await session.approve(yes?.callId ?? '');
    await session.reject(no?.callId ?? '');
    await sent;
    expect(inputs()[1]?.resume).toEqual([
      { interruptId: 'y', status: 'resolved', payload: true },
      { interruptId: 'n', status: 'resolved', payload: false },
    ]);
  });
});

describe('an interrupt that nobody answers', () => {
  test('is cancelled with the next message, so that the remote thread can go on', async () => {
    const url = await remote([asks(mail())], [...says('m', 'Fine.'), finished()]);
    const { session, sent } = await waitingSession(agentFor(url));
    session.cancel();
    await sent;
    await session.send('Something else');
    expect(inputs()[1]).toMatchObject({
      resume: [{ interruptId: 'i1', status: 'cancelled' }],
      messages: [{ content: 'Go' }, { content: 'Something else' }],
    });
  });

  test('expires at its time', async () => {
    const url = await remote([asks(mail({ expiresAt: '2020-01-01T00:00:00Z' }))]);
    const agent = agentFor(url);
    const session = await agent.openSession(agent.createSession());
    await session.send('Go');
    expect(onlyCall(session.getMessages().flatMap(toolParts)).status).toBe('expired');
    await session.send('Again');
    expect(inputs()[1]?.resume).toEqual([{ interruptId: 'i1', status: 'cancelled' }]);
  });
});

test('without the tool for interrupts the page reads a part, as before', async () => {
  const url = await remote([asks(mail())]);
  const agent = createAgent({ client: createAGUIClient({ url }) });
  const session = await agent.openSession(agent.createSession());
  const { outcome, finish, message } = await session.send('Go');
  expect([outcome, finish]).toEqual(['completed', 'other']);
  expect(message?.content).toMatchObject([{ type: 'provider', name: 'agui.interrupt', data: [{ id: 'i1' }] }]);
});

test('a remote agent cannot call the tool for interrupts itself', async () => {
  const url = await remote([...proposes('c', 'agui_interrupt', '{"id":"i","reason":"tool_call"}'), finished()]);
  const agent = agentFor(url);
  const session = await agent.openSession(agent.createSession());
  expect((await session.send('Go')).outcome).toBe('completed');
  expect(session.getMessages().flatMap(toolParts)).toEqual([]);
});

test.each<[string, readonly unknown[]]>([
  ['no list', []],
  ['interrupts without an id', [{}, { id: '' }, { id: 7 }, null, 'x', []]],
])('an interrupt with %s ends the run with what was sent', async (_what, interrupts) => {
  const url = await remote([finished({ type: 'interrupt', interrupts })]);
  const agent = agentFor(url);
  const session = await agent.openSession(agent.createSession());
  expect(await session.send('Go')).toMatchObject({ outcome: 'completed', finish: 'other' });
});

test('a hostile schema makes a question that can be answered or declined', async () => {
  const circular = { $ref: '#' };
  const url = await remote([
    asks(
      { id: 'a', reason: 'x', responseSchema: circular },
      { id: 'b', reason: 'x', responseSchema: { pattern: '(a+)+$' } },
    ),
  ]);
  const { session, sent, calls } = await waitingSession(agentFor(url));
  const [circle, slow] = calls();
  await expect(session.answer(circle?.callId ?? '', 1)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  await session.reject(circle?.callId ?? '');
  await session.answer(slow?.callId ?? '', { a: 1 });
  await sent;
  expect(inputs()[1]?.resume?.map(({ status }) => status)).toEqual(['cancelled', 'resolved']);
});
