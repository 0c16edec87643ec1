import { act, render, renderHook, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import {
  type Agent,
  AgentError,
  createAgent,
  defineTool,
  extractTextContent,
  type Message,
  type SessionStore,
} from 'brooklet';
import { AgentProvider, useChat, type UseChatOptions } from 'brooklet/react';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { memo, StrictMode, useState } from 'react';
import { expect, test, vi } from 'vitest';
import { createGate } from '../support/gate.ts';
import { createManualClient, say, settled } from '../support/manual-client.ts';
import { createManualPorts } from '../support/ports.ts';
import { agentWith, around, countSubscriptions, newSession } from './stage.tsx';

const texts = (messages: readonly Message[]): readonly string[] =>
  messages.map((message) => extractTextContent(message));

function Chat({ sessionId }: UseChatOptions) {
  const chat = useChat({ sessionId });
  const [text, setText] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setText('');
        void chat.send(text);
      }}
    >
      <output>{chat.status}</output>
      <ol>
        {chat.messages.map((message) => (
          <li key={message.id}>{extractTextContent(message)}</li>
        ))}
      </ol>
      {chat.approvals.map((call) => (
        <section key={call.callId} aria-label={call.name}>
          <button type="button" onClick={() => void chat.approve(call.callId)}>
            Approve
          </button>
          <button type="button" onClick={() => void chat.reject(call.callId, { reason: 'Not now.' })}>
            Reject
          </button>
        </section>
      ))}
      {chat.error && <p role="alert">{chat.error.code}</p>}
      <input aria-label="Message" value={text} onChange={(event) => setText(event.target.value)} />
      <button type="submit">Send</button>
      <button type="button" onClick={chat.stop}>
        Stop
      </button>
    </form>
  );
}

const rows = (): readonly (string | null)[] => screen.queryAllByRole('listitem').map((row) => row.textContent);

test('shows the message, the streaming reply, and the complete reply', async () => {
  const rest = createGate();
  const agent = agentWith(createScriptedClient([reply.text('Hello '), reply.until(rest.opened), reply.text('there.')]));
  render(<Chat />, { wrapper: around(agent) });
  await userEvent.type(screen.getByLabelText('Message'), 'Hi{Enter}');
  await waitFor(() => expect(rows()).toEqual(['Hi', 'Hello ']));
  expect(screen.getByText('running')).toBeTruthy();
  rest.open();
  await waitFor(() => expect(rows()).toEqual(['Hi', 'Hello there.']));
  await screen.findByText('idle');
});

test('creates no session on render', async () => {
  const store = createMemoryStore();
  const created: string[] = [];
  const agent = agentWith(createScriptedClient([reply.text('Hello.')]), { store });
  const counted = { ...agent, createSession: () => (created.push('one'), agent.createSession()) };
  const { result, rerender } = renderHook(() => useChat(), { wrapper: around(counted), reactStrictMode: true });
  rerender();
  expect(created).toEqual([]);
  expect(result.current).toMatchObject({ messages: [], status: 'idle', isLoading: false });
  expect(result.current.sessionId).toBeUndefined();
});

test('has the store open its database before the first message, once an agent', async () => {
  const store = createMemoryStore();
  const list = vi.spyOn(store, 'list');
  const agent = createAgent({ client: createScriptedClient([reply.text('Hello.')]), store });
  const chats = ['one', 'another'].map(() => renderHook(() => useChat(), { wrapper: around(agent) }));
  expect(list.mock.calls).toEqual([[{ limit: 1 }]]);
  for (const { unmount } of chats) unmount();
});

test('creates one session for two first sends', async () => {
  const rest = createGate();
  const client = createScriptedClient([reply.until(rest.opened), reply.text('Hello.')]);
  const agent = agentWith(client);
  const created: string[] = [];
  const { result } = renderHook(() => useChat({ onSessionCreated: (id) => created.push(id) }), {
    wrapper: around(agent),
    reactStrictMode: true,
  });
  await act(async () => {
    void result.current.send('Hi');
    await result.current.send('Hi again');
  });
  expect(created).toHaveLength(1);
  expect(result.current.sessionId).toBe(created[0]);
  expect(result.current.error?.code).toBe('SESSION_BUSY');
  expect(client.requests).toHaveLength(1);
  expect(texts(result.current.messages)[0]).toBe('Hi');
  act(() => agent.cancel(created[0] ?? ''));
});

test('removes the new session if the first message is refused', async () => {
  const created: string[] = [];
  const agent = agentWith(createScriptedClient([reply.text('Hello.')]));
  const counted = { ...agent, createSession: () => created[created.push(agent.createSession()) - 1] ?? '' };
  const { result } = renderHook(() => useChat({ onSessionCreated: expect.fail }), { wrapper: around(counted) });
  await act(async () => expect(await result.current.send(' ')).toBeUndefined());
  expect(result.current).toMatchObject({ error: { code: 'INVALID_INPUT' }, messages: [] });
  expect(result.current.sessionId).toBeUndefined();
  expect(created.map((id) => agent.getSession(id))).toEqual([undefined]);
});

test('sends one request and runs a tool once under StrictMode', async () => {
  let executions = 0;
  const count = defineTool({
    name: 'count',
    description: 'Counts.',
    input: { type: 'object', properties: {} },
    execute: () => ++executions,
  });
  const client = createScriptedClient([[reply.call('count')], [reply.text('Counted.')]]);
  const agent = agentWith(client, { tools: [count] });
  render(
    <StrictMode>
      <Chat />
    </StrictMode>,
    { wrapper: around(agent) },
  );
  await userEvent.type(screen.getByLabelText('Message'), 'Count{Enter}');
  await waitFor(() => expect(rows().at(-1)).toBe('Counted.'));
  expect(client.requests).toHaveLength(2);
  expect(executions).toBe(1);
});

test('shows only the current session, and lets the other session continue', async () => {
  const rest = createGate();
  const agent = agentWith(
    createScriptedClient([reply.text('From a: '), reply.until(rest.opened), reply.text('done.')]),
  );
  const [a, b] = [newSession(agent), newSession(agent)];
  b.addMessage({ role: 'user', content: 'Said in b' });
  const { rerender } = render(<Chat sessionId={a.id} />, { wrapper: around(agent) });
  await userEvent.type(screen.getByLabelText('Message'), 'Hi{Enter}');
  await waitFor(() => expect(rows()).toEqual(['Hi', 'From a: ']));

  rerender(<Chat sessionId={b.id} />);
  expect(rows()).toEqual(['Said in b']);
  expect(screen.getByText('idle')).toBeTruthy();
  rest.open();
  await waitFor(() => expect(a.getStatus()).toBe('idle'));
  expect(rows()).toEqual(['Said in b']);

  rerender(<Chat sessionId={a.id} />);
  expect(rows()).toEqual(['Hi', 'From a: done.']);
});

test('does not show the refusal of another session', async () => {
  const agent = agentWith(createScriptedClient([reply.text('Hello.')]));
  const [a, b] = [newSession(agent), newSession(agent)];
  const { result, rerender } = renderHook((props: UseChatOptions) => useChat(props), {
    wrapper: around(agent),
    initialProps: { sessionId: a.id },
  });
  await act(async () => void (await result.current.resume()));
  expect(result.current.error?.code).toBe('NOTHING_TO_RESUME');
  rerender({ sessionId: b.id });
  expect(result.current.error).toBeUndefined();
});

test('calls an action on the session for which it was created', async () => {
  const agent = agentWith(createScriptedClient([reply.text('Hello.')]));
  const [a, b] = [newSession(agent), newSession(agent)];
  const { result, rerender } = renderHook((props: UseChatOptions) => useChat(props), {
    wrapper: around(agent),
    initialProps: { sessionId: a.id },
  });
  const sendToA = result.current.send;
  rerender({ sessionId: b.id });
  await act(async () => void (await sendToA('For a')));
  expect(texts(a.getMessages())).toEqual(['For a', 'Hello.']);
  expect(b.getMessages()).toEqual([]);
});

test('continues the run after unmount, without subscriptions', async () => {
  const rest = createGate();
  const client = createScriptedClient([reply.text('Hello '), reply.until(rest.opened), reply.text('there.')]);
  const { agent, count } = countSubscriptions(agentWith(client));
  const session = newSession(agent);
  const { unmount } = render(<Chat sessionId={session.id} />, { wrapper: around(agent), reactStrictMode: true });
  await userEvent.type(screen.getByLabelText('Message'), 'Hi{Enter}');
  await waitFor(() => expect(rows()).toEqual(['Hi', 'Hello ']));
  expect(count()).toBeGreaterThan(0);
  unmount();
  expect(count()).toBe(0);
  expect(client.open).toBe(1);
  rest.open();
  await waitFor(() => expect(session.getStatus()).toBe('idle'));
  expect(texts(session.getMessages())).toEqual(['Hi', 'Hello there.']);
});

test('keeps the number of subscriptions while sessions change', () => {
  const { agent, count } = countSubscriptions(agentWith(createScriptedClient([])));
  const [a, b] = [newSession(agent), newSession(agent)];
  const { rerender } = render(<Chat sessionId={a.id} />, { wrapper: around(agent) });
  const before = count();
  for (const { id } of [b, a, b]) rerender(<Chat sessionId={id} />);
  expect(count()).toBe(before);
});

test('renders one row for one chunk', async () => {
  const words = ['one ', 'two ', 'three ', 'four '].map((word) => ({ word, gate: createGate() }));
  const agent = agentWith(
    createScriptedClient(words.flatMap(({ word, gate }) => [reply.until(gate.opened), reply.text(word)])),
  );
  const session = newSession(agent);
  for (let i = 0; i < 100; i++) session.addMessage({ role: i % 2 ? 'assistant' : 'user', content: `Old ${i}` });
  const rendered: string[] = [];
  const Row = memo(({ message }: { readonly message: Message }) => {
    rendered.push(message.id);
    return <li>{extractTextContent(message)}</li>;
  });
  function List() {
    const { messages, send } = useChat({ sessionId: session.id });
    return (
      <>
        <button type="button" onClick={() => void send('Hi')}>
          Send
        </button>
        <ol>
          {messages.map((message) => (
            <Row key={message.id} message={message} />
          ))}
        </ol>
      </>
    );
  }
  render(<List />, { wrapper: around(agent) });
  await userEvent.click(screen.getByText('Send'));
  let text = '';
  for (const { word, gate } of words) {
    rendered.length = 0;
    gate.open();
    text += word;
    await waitFor(() => expect(rows().at(-1)).toBe(text));
    expect(new Set(rendered)).toEqual(new Set([session.getMessages().at(-1)?.id]));
    expect(rendered.length).toBeLessThanOrEqual(2);
  }
  await waitFor(() => expect(session.getStatus()).toBe('idle'));
});

test('keeps the identity of actions, approvals and queue while a reply streams', async () => {
  const rest = createGate();
  const agent = agentWith(createScriptedClient([reply.text('Hello '), reply.until(rest.opened), reply.text('there.')]));
  const session = newSession(agent);
  const { result } = renderHook(() => useChat({ sessionId: session.id, onSessionCreated: () => {} }), {
    wrapper: around(agent),
  });
  const before = result.current;
  act(() => void before.send('Hi'));
  await waitFor(() => expect(texts(result.current.messages)).toEqual(['Hi', 'Hello ']));
  rest.open();
  await waitFor(() => expect(result.current.status).toBe('idle'));
  expect(result.current.messages).not.toBe(before.messages);
  const { send, stop, regenerate, resume, approve, reject, answer, unqueue, clearError } = before;
  const verbs = { send, stop, regenerate, resume, approve, reject, answer, unqueue, clearError };
  expect(Object.entries(result.current)).toEqual(expect.arrayContaining(Object.entries(verbs)));
  expect(result.current.approvals).toBe(before.approvals);
  expect(result.current.queue).toBe(before.queue);
});

test('shows the error of a run until the next run, and keeps the text so far', async () => {
  const client = createScriptedClient([
    [reply.text('I think '), reply.fail('CONTENT_FILTERED', 'Better not.', { status: 400 })],
    [reply.text('Better.')],
  ]);
  const agent = agentWith(client);
  const session = newSession(agent);
  const { result, rerender } = renderHook(() => useChat({ sessionId: session.id }), { wrapper: around(agent) });
  await act(async () => expect(await result.current.send('Hi')).toMatchObject({ outcome: 'interrupted' }));
  const { error } = result.current;
  expect(result.current.outcome).toBe('interrupted');
  expect(error).toBeInstanceOf(AgentError);
  expect(error).toMatchObject({ code: 'CONTENT_FILTERED', message: 'Better not.', status: 400 });
  expect(result.current.status).toBe('interrupted');
  expect(texts(result.current.messages)).toEqual(['Hi', 'I think ']);
  rerender();
  expect(result.current.error).toBe(error);
  await act(async () => void (await result.current.regenerate()));
  expect(result.current.error).toBeUndefined();
  expect(texts(result.current.messages)).toEqual(['Hi', 'Better.']);
});

test('shows the refusal of an action until the next action or clearError', async () => {
  const agent = agentWith(createScriptedClient([reply.text('Hello.')]));
  const session = newSession(agent);
  const { result } = renderHook(() => useChat({ sessionId: session.id }), { wrapper: around(agent) });
  await act(async () => expect(await result.current.approve('no-such-call')).toBe(false));
  expect(result.current.error?.code).toBe('CALL_NOT_FOUND');
  act(() => result.current.clearError());
  expect(result.current.error).toBeUndefined();
  await act(async () => expect(await result.current.resume()).toBeUndefined());
  expect(result.current.error?.code).toBe('NOTHING_TO_RESUME');
  await act(async () => expect(await result.current.send('Hi')).toMatchObject({ outcome: 'completed' }));
  expect(result.current.error).toBeUndefined();
});

test('refuses actions that need a session, and creates none', async () => {
  const { result } = renderHook(() => useChat(), { wrapper: around(agentWith(createScriptedClient([]))) });
  await act(async () => void (await result.current.regenerate()));
  expect(result.current.error?.code).toBe('NOTHING_TO_RESUME');
  act(() => result.current.stop());
  expect(result.current.sessionId).toBeUndefined();
});

test('stops the run, and keeps the text so far', async () => {
  const never = createGate();
  const client = createScriptedClient([reply.text('Hello '), reply.until(never.opened)]);
  render(<Chat />, { wrapper: around(agentWith(client)) });
  await userEvent.type(screen.getByLabelText('Message'), 'Hi{Enter}');
  await waitFor(() => expect(rows()).toEqual(['Hi', 'Hello ']));
  await userEvent.click(screen.getByText('Stop'));
  await screen.findByText('idle');
  expect(rows()).toEqual(['Hi', 'Hello ']);
  expect(client.aborted).toBe(1);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('returns how the last run ended', async () => {
  const rest = createGate();
  const agent = agentWith(createScriptedClient([reply.until(rest.opened), reply.text('Hello.')]));
  const { result } = renderHook(() => useChat(), { wrapper: around(agent) });
  expect(result.current.outcome).toBeUndefined();
  act(() => void result.current.send('Hi'));
  await waitFor(() => expect(result.current.status).toBe('running'));
  expect(result.current.outcome).toBeUndefined();
  act(() => result.current.stop());
  await waitFor(() => expect(result.current).toMatchObject({ status: 'idle', outcome: 'cancelled' }));
  rest.open();
  await act(async () => void (await result.current.send('Hi')));
  expect(result.current.outcome).toBe('completed');
});

function withApprovalTool() {
  const executed: unknown[] = [];
  const wipe = defineTool({
    name: 'wipe',
    description: 'Wipes the disk.',
    input: { type: 'object', properties: { disk: { type: 'string' } } },
    needsApproval: true,
    execute: (input) => (executed.push(input), 'Wiped.'),
  });
  const client = createScriptedClient([[reply.call('wipe', { disk: 'c' })], [reply.text('So be it.')]]);
  return { executed, client, agent: agentWith(client, { tools: [wipe] }) };
}

test('shows a call that needs approval, and runs it once for a double click', async () => {
  const { agent, executed } = withApprovalTool();
  render(<Chat />, { wrapper: around(agent) });
  await userEvent.type(screen.getByLabelText('Message'), 'Wipe it{Enter}');
  await screen.findByRole('region', { name: 'wipe' });
  await screen.findByText('waiting');
  expect(executed).toEqual([]);
  await userEvent.dblClick(screen.getByText('Approve'));
  await waitFor(() => expect(rows().at(-1)).toBe('So be it.'));
  expect(executed).toEqual([{ disk: 'c' }]);
  expect(screen.queryByRole('region')).toBeNull();
});

test('does not run a rejected call', async () => {
  const { agent, executed, client } = withApprovalTool();
  render(<Chat />, { wrapper: around(agent) });
  await userEvent.type(screen.getByLabelText('Message'), 'Wipe it{Enter}');
  await userEvent.click(await screen.findByText('Reject'));
  await waitFor(() => expect(rows().at(-1)).toBe('So be it.'));
  expect(executed).toEqual([]);
  expect(JSON.stringify(client.requests[1]?.messages)).toContain('Not now.');
});

test('runs a call with the edited input', async () => {
  const { agent, executed } = withApprovalTool();
  const { result } = renderHook(() => useChat(), { wrapper: around(agent) });
  act(() => void result.current.send('Wipe it'));
  await waitFor(() => expect(result.current.approvals).toHaveLength(1));
  const [waiting] = result.current.approvals;
  expect(result.current.messages.at(-1)?.content).toContain(waiting);
  await act(async () => {
    expect(await result.current.approve(waiting?.callId ?? '', { input: { disk: 'd' } })).toBe(true);
  });
  await waitFor(() => expect(result.current.status).toBe('idle'));
  expect(executed).toEqual([{ disk: 'd' }]);
});

function withElicitation() {
  const answers: unknown[] = [];
  const ask = defineTool({
    name: 'ask',
    description: 'Asks the user for a day.',
    input: { type: 'object', properties: {} },
    answer: { type: 'string', enum: ['Monday', 'Tuesday'] },
    execute: (_input, { answer }) => (answers.push(answer), 'Heard.'),
  });
  const client = createScriptedClient([[reply.call('ask')], [reply.text('Then so.')]]);
  return { answers, agent: agentWith(client, { tools: [ask] }) };
}

test('answers an elicitation when the answer fits the schema', async () => {
  const { agent, answers } = withElicitation();
  const { result } = renderHook(() => useChat(), { wrapper: around(agent) });
  act(() => void result.current.send('When?'));
  await waitFor(() => expect(result.current.status).toBe('waiting'));
  const [call] = result.current.approvals;
  const callId = call?.callId ?? '';
  expect(call?.approval?.elicitation).toEqual({ type: 'string', enum: ['Monday', 'Tuesday'] });
  await act(async () => expect(await result.current.answer(callId, 'Sunday')).toBe(false));
  expect(result.current.error?.code).toBe('INVALID_INPUT');
  await act(async () => expect(await result.current.answer(callId, 'Tuesday')).toBe(true));
  await waitFor(() => expect(result.current.status).toBe('idle'));
  expect(answers).toEqual(['Tuesday']);
  await act(async () => expect(await result.current.answer(callId, 'Monday')).toBe(false));
  expect(result.current.error?.code).toBe('CALL_NOT_PENDING');
});

test('queues messages during a run, and answers them in turn', async () => {
  const rest = createGate();
  const client = createScriptedClient([[reply.until(rest.opened), reply.text('One.')], [reply.text('Two.')]]);
  const { result } = renderHook(() => useChat(), { wrapper: around(agentWith(client)) });
  act(() => void result.current.send('First'));
  await waitFor(() => expect(result.current.status).toBe('running'));
  let second: Promise<unknown> = Promise.resolve();
  act(() => {
    second = result.current.send('Second', { whenBusy: 'queue' });
    void result.current.send('Third', { whenBusy: 'steer' });
  });
  await waitFor(() => expect(result.current.queue.map(({ mode }) => mode)).toEqual(['queue', 'steer']));
  const third = result.current.queue[1]?.message.id ?? '';
  await act(async () => expect(await result.current.unqueue(third)).toBe(true));
  expect(result.current.queue.map(({ message }) => extractTextContent(message))).toEqual(['Second']);
  rest.open();
  await act(async () => expect(await second).toMatchObject({ outcome: 'completed' }));
  expect(texts(result.current.messages)).toEqual(['First', 'One.', 'Second', 'Two.']);
  expect(result.current.queue).toEqual([]);
});

test('interrupts the run with a message', async () => {
  const never = createGate();
  const client = createScriptedClient([[reply.text('One '), reply.until(never.opened)], [reply.text('Two.')]]);
  const { result } = renderHook(() => useChat(), { wrapper: around(agentWith(client)) });
  act(() => void result.current.send('First'));
  await waitFor(() => expect(texts(result.current.messages)).toEqual(['First', 'One ']));
  await act(async () => void (await result.current.send('Second', { whenBusy: 'interrupt' })));
  expect(texts(result.current.messages)).toEqual(['First', 'One ', 'Second', 'Two.']);
  expect(client.aborted).toBe(1);
});

test('returns the limit that the run reached until the next run', async () => {
  const again = defineTool({
    name: 'again',
    description: 'Never enough.',
    input: { type: 'object', properties: {} },
    execute: () => 'More.',
  });
  const client = createScriptedClient([[reply.call('again')], [reply.text('Enough.')]]);
  const agent = agentWith(client, { tools: [again], maxSteps: 1 });
  const { result } = renderHook(() => useChat(), { wrapper: around(agent) });
  expect(result.current.limit).toBeUndefined();
  await act(async () => void (await result.current.send('Go')));
  expect(result.current).toMatchObject({ status: 'limit', outcome: 'limit', limit: 'steps' });
  await act(async () => void (await result.current.resume()));
  expect(result.current).toMatchObject({ status: 'idle', outcome: 'completed' });
  expect(result.current.limit).toBeUndefined();
});

test('starts without a session when the id is removed', async () => {
  const agent = agentWith(createScriptedClient([reply.text('Hello.')]));
  const session = newSession(agent);
  const { result, rerender } = renderHook((props: UseChatOptions) => useChat(props), {
    wrapper: around(agent),
    initialProps: {},
  });
  await act(async () => void (await result.current.send('Hi')));
  const first = result.current.sessionId;
  rerender({ sessionId: session.id });
  expect(result.current.sessionId).toBe(session.id);
  rerender({});
  expect(result.current).toMatchObject({ messages: [], status: 'idle' });
  expect(result.current.sessionId).toBeUndefined();
  await act(async () => void (await result.current.send('Hi')));
  expect(result.current.sessionId).not.toBe(first);
});

test('starts without a session with another agent', async () => {
  const answering = (text: string): Agent => agentWith(createScriptedClient([reply.text(text)]));
  const [one, two] = [answering('one'), answering('two')];
  let agent = one;
  const { result, rerender } = renderHook(() => useChat(), {
    wrapper: ({ children }) => <AgentProvider agent={agent}>{children}</AgentProvider>,
  });
  await act(async () => void (await result.current.send('Hi')));
  expect(texts(result.current.messages)).toEqual(['Hi', 'one']);
  agent = two;
  rerender();
  expect(result.current.sessionId).toBeUndefined();
  await act(async () => void (await result.current.send('Hi')));
  expect(texts(result.current.messages)).toEqual(['Hi', 'two']);
});

test('opens a stored session, and sends a message while it is being opened', async () => {
  const store = createMemoryStore();
  const before = newSession(agentWith(createScriptedClient([reply.text('Hello.')]), { store }));
  await before.send('Hi');
  await before.flushed();

  const agent = agentWith(createScriptedClient([reply.text('Welcome back.')]), { store });
  const { result } = renderHook(() => useChat({ sessionId: before.id }), { wrapper: around(agent) });
  expect(result.current).toMatchObject({ messages: [], isLoading: true });
  await act(async () => expect(await result.current.send('Again')).toMatchObject({ outcome: 'completed' }));
  await waitFor(() => expect(result.current.isLoading).toBe(false));
  expect(texts(result.current.messages)).toEqual(['Hi', 'Hello.', 'Again', 'Welcome back.']);
});

test('returns an error for a session that does not exist, and refuses to send', async () => {
  const agent = agentWith(createScriptedClient([reply.text('Hello.')]), { store: createMemoryStore() });
  const { result } = renderHook(() => useChat({ sessionId: 'gone' }), { wrapper: around(agent) });
  await waitFor(() => expect(result.current.error?.code).toBe('SESSION_NOT_FOUND'));
  await act(async () => expect(await result.current.send('Hi')).toBeUndefined());
  expect(result.current).toMatchObject({ messages: [], error: { code: 'SESSION_NOT_FOUND' } });
});

test.each(['', 'x'.repeat(1001)])(
  'returns an error for a text that is no id, with and without `create`',
  async (sessionId) => {
    for (const create of [false, true]) {
      const agent = agentWith(createScriptedClient([reply.text('Hello.')]), { store: createMemoryStore() });
      const { result } = renderHook(() => useChat({ sessionId, create }), { wrapper: around(agent) });
      await waitFor(() => expect(result.current.error?.code).toBe('INVALID_INPUT'));
      await act(async () => expect(await result.current.send('Hi')).toBeUndefined());
      expect(result.current).toMatchObject({ session: undefined, isLoading: false, error: { code: 'INVALID_INPUT' } });
    }
  },
);

/** The number of renderings of a chat while 20 chunks arrive, one in each frame, 50 ms apart. */
async function countRenderings(store: SessionStore | undefined): Promise<number> {
  const ports = createManualPorts();
  const client = createManualClient();
  const agent = agentWith(client, { ports, throttle: 0, ...(store && { store }) });
  const session = newSession(agent);
  let count = 0;
  renderHook(
    () => {
      count += 1;
      return useChat({ sessionId: session.id });
    },
    { wrapper: around(agent) },
  );
  await act(async () => {
    void session.send('Hi');
    await settled();
  });
  count = 0;
  const step = async (emit: () => void): Promise<void> =>
    act(async () => {
      emit();
      ports.drawFrame();
      ports.pass(50);
      await settled();
    });
  for (let i = 0; i < 20; i++) await step(() => client.last().chunks.next({ type: 'text', text: 'word ' }));
  await step(() => say(client.last()));
  await act(() => session.flushed());
  return count;
}

test('renders as often with a store as without one', async () => {
  const without = await countRenderings(undefined);
  expect(without).toBeGreaterThanOrEqual(20);
  expect(await countRenderings(createMemoryStore())).toBe(without);
});
