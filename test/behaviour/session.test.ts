import {
  AgentError,
  type AgentSession,
  createAgent,
  defineTool,
  extractTextContent,
  type SessionEvent,
  type Message,
  type SessionStatus,
  toolParts,
} from 'brooklet';
import { createMemoryStore } from 'brooklet/storage';
import { Observable } from 'rxjs';
import { describe, expect, test, vi } from 'vitest';
import { createGate } from '../support/gate.ts';
import { call, createManualClient, say, settled } from '../support/manual-client.ts';
import { createManualPorts } from '../support/ports.ts';

const object = { type: 'object' } as const;

function stage(options: Partial<Parameters<typeof createAgent>[0]> = {}) {
  const client = createManualClient();
  const ports = createManualPorts();
  const agent = createAgent({ client, ports, ...options });
  const session = sessionOf(agent, agent.createSession());
  const events: SessionEvent[] = [];
  session.events$.subscribe((event) => events.push(event));
  return { agent, session, client, ports, events, types: () => events.map(({ type }) => type) };
}

function sessionOf(agent: { getSession(id: string): AgentSession | undefined }, id: string): AgentSession {
  const session = agent.getSession(id);
  if (session === undefined) throw new Error(`no session ${id}`);
  return session;
}

const texts = (session: AgentSession): string[] =>
  session.getMessages().map((message) => `${message.role}: ${extractTextContent(message)}`);
const callsOf = (session: AgentSession) => session.getMessages().flatMap(toolParts);
const callId = (session: AgentSession, name: string): string =>
  callsOf(session).find((part) => part.name === name)?.callId ?? '';

describe('a run', () => {
  test('sends a request, streams and ends', async () => {
    const { session, client } = stage({ instructions: 'Be kind.' });
    const statuses: SessionStatus[] = [];
    session.status$.subscribe((status) => statuses.push(status));
    const sent = session.send('Hello');
    await settled();
    expect(client.last().request.messages.map(({ role, content }) => [role, content])).toEqual([
      ['system', [{ type: 'text', text: 'Be kind.' }]],
      ['user', [{ type: 'text', text: 'Hello' }]],
    ]);
    say(client.last(), 'Hi', ' there');
    expect(await sent).toMatchObject({ outcome: 'completed', message: { status: 'complete', finish: 'stop' } });
    expect(texts(session)).toEqual(['user: Hello', 'assistant: Hi there']);
    expect(statuses).toEqual(['idle', 'running', 'idle']);
  });

  test('ends once: a stop after its end changes nothing', async () => {
    const { session, client, types } = stage();
    const sent = session.send('Hello');
    await settled();
    say(client.last(), 'Hi');
    await sent;
    session.cancel();
    expect(types().filter((type) => type === 'run.ended')).toHaveLength(1);
    expect(session.getStatus()).toBe('idle');
  });

  test('runs the requested tools in parallel, and returns their results in the order of the calls', async () => {
    const slow = createGate();
    const started: string[] = [];
    const tool = (name: string, execute: () => unknown) =>
      defineTool({
        name,
        description: name,
        input: object,
        execute: async () => {
          started.push(name);
          return String(await execute());
        },
      });
    const { session, client } = stage({
      tools: [tool('slow', () => slow.opened.then(() => 'S')), tool('quick', () => 'Q')],
    });
    const sent = session.send('go');
    await settled();
    call(client.last(), ['slow', '{}'], ['quick', '{}']);
    await settled();
    expect(started).toEqual(['slow', 'quick']);
    expect(callsOf(session).map(({ status }) => status)).toEqual(['started', 'succeeded']);
    expect(client.asked).toHaveLength(1);
    slow.open();
    await settled();
    expect(client.asked).toHaveLength(2);
    const reply = client.last().request.messages.at(-1);
    expect(reply === undefined ? [] : toolParts(reply).map(({ name, output }) => [name, output])).toEqual([
      ['slow', 'S'],
      ['quick', 'Q'],
    ]);
    say(client.last(), 'done');
    expect((await sent).outcome).toBe('completed');
  });

  test('never executes malformed, invalid or unknown calls, reports the reason to the model, and continues', async () => {
    const execute = vi.fn();
    const strict = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } as const;
    const { session, client } = stage({
      tools: [defineTool({ name: 'double', description: '', input: strict, execute })],
    });
    void session.send('go');
    await settled();
    call(
      client.last(),
      ['double', '{"n":'],
      ['double', '{"n":"2"}'],
      ['triple', '{}'],
      ['__proto__', '{}'],
      ['double', '[1]'],
    );
    await settled();
    expect(execute).not.toHaveBeenCalled();
    expect(callsOf(session).map(({ status, isError }) => [status, isError])).toEqual(Array(5).fill(['invalid', true]));
    expect(callsOf(session).map(({ output }) => output)).toEqual([
      expect.stringContaining('not a JSON object'),
      expect.stringContaining('input.n must be number'),
      expect.stringContaining('There are: double'),
      expect.stringContaining('There is no tool'),
      expect.stringContaining('not a JSON object'),
    ]);
    expect(client.asked).toHaveLength(2);
  });

  test('ends with `limit` after maxSteps requests, and can be resumed', async () => {
    const again = defineTool({ name: 'again', description: '', input: object, execute: () => 'ok' });
    const { session, client } = stage({ tools: [again], maxSteps: 2 });
    const sent = session.send('go');
    for (let step = 0; step < 2; step++) {
      await settled();
      call(client.last(), ['again', '{}']);
    }
    expect((await sent).outcome).toBe('limit');
    expect(session.getStatus()).toBe('limit');
    expect(client.asked).toHaveLength(2);
    const resumed = session.resume();
    await settled();
    expect(client.asked).toHaveLength(3);
    say(client.last(), 'done');
    expect((await resumed).outcome).toBe('completed');
  });

  test('has a default limit of ten requests', async () => {
    const again = defineTool({ name: 'again', description: '', input: object, execute: () => 'ok' });
    const { session, client } = stage({ tools: [again] });
    const sent = session.send('go');
    for (let step = 0; step < 10; step++) {
      await settled();
      call(client.last(), ['again', '{}']);
    }
    expect((await sent).outcome).toBe('limit');
    expect(client.asked).toHaveLength(10);
  });

  test('ends as failed with the error, keeps the user message, leaves no empty reply, and resumes', async () => {
    const { session, client } = stage();
    const sent = session.send('Hello');
    await settled();
    client.last().chunks.error(
      new AgentError('401 from api.example.com: the key was refused.', {
        code: 'AUTHENTICATION_FAILED',
        status: 401,
      }),
    );
    expect(await sent).toMatchObject({
      outcome: 'failed',
      error: { code: 'AUTHENTICATION_FAILED', status: 401, retryable: false },
    });
    expect(texts(session)).toEqual(['user: Hello']);
    expect(session.getStatus()).toBe('failed');
    const resumed = session.resume();
    await settled();
    say(client.last(), 'Hi');
    expect((await resumed).outcome).toBe('completed');
    expect(texts(session)).toEqual(['user: Hello', 'assistant: Hi']);
  });

  test('wraps any value that a client throws', async () => {
    const broken = {
      sendRequest: () => {
        throw new RangeError('boom');
      },
    };
    const { session } = stage({ client: broken });
    expect(await session.send('x')).toMatchObject({
      outcome: 'failed',
      error: { code: 'LLM_API_ERROR', message: 'boom' },
    });
  });

  test('is interrupted, not completed, when the stream closes without its end', async () => {
    const { session, client } = stage();
    const sent = session.send('Hello');
    await settled();
    client.last().chunks.next({ type: 'text', text: 'Half an ans' });
    client.last().chunks.complete();
    expect(await sent).toMatchObject({
      outcome: 'interrupted',
      error: { code: 'STREAM_INTERRUPTED', retryable: true },
    });
    expect(session.getMessages().at(-1)).toMatchObject({
      status: 'interrupted',
      content: [{ type: 'text', text: 'Half an ans' }],
    });
  });

  test('continues after an interruption from the end of the reply', async () => {
    const { session, client } = stage();
    void session.send('Hello');
    await settled();
    client.last().chunks.next({ type: 'text', text: 'Half' });
    client.last().chunks.complete();
    const resumed = session.resume();
    await settled();
    expect(client.last().request.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    say(client.last(), ' and the rest');
    await resumed;
    expect(texts(session)).toEqual(['user: Hello', 'assistant: Half', 'assistant:  and the rest']);
  });

  test('discards a call whose stream broke off inside its input', async () => {
    const execute = vi.fn();
    const { session, client } = stage({
      tools: [defineTool({ name: 'pay', description: '', input: object, execute })],
    });
    void session.send('Hello');
    await settled();
    client.last().chunks.next({ type: 'call', index: 0, name: 'pay', text: '{}' });
    client.last().chunks.next({ type: 'call-end', index: 0, name: 'pay', inputText: '{}' });
    client.last().chunks.error(new AgentError('gone', { code: 'NETWORK_ERROR' }));
    await settled();
    expect(execute).not.toHaveBeenCalled();
    expect(callsOf(session)).toMatchObject([{ status: 'cancelled' }]);
    void session.resume();
    await settled();
    expect(client.last().request.messages.flatMap(toolParts)).toEqual([]);
  });

  test('is cancelled: the request is aborted, the received text stays, and only the end of the run follows', async () => {
    const { session, client, types } = stage();
    const sent = session.send('Hello');
    await settled();
    client.last().chunks.next({ type: 'text', text: 'Half' });
    session.cancel();
    expect(client.last().aborted).toBe(true);
    client.last().chunks.next({ type: 'text', text: ' more' });
    say(client.last(), 'and more');
    expect((await sent).outcome).toBe('cancelled');
    expect(texts(session)).toEqual(['user: Hello', 'assistant: Half']);
    expect(session.getStatus()).toBe('idle');
    expect(types().slice(-2)).toEqual(['text.delta', 'run.ended']);
  });

  test('cancels its tools through their signal, and drops their late results', async () => {
    const gate = createGate();
    let signal: AbortSignal | undefined;
    const tool = defineTool({
      name: 'slow',
      description: '',
      input: object,
      execute: async (_input, context) => {
        signal = context.signal;
        await gate.opened;
        return 'late';
      },
    });
    const { session, client, types } = stage({ tools: [tool] });
    void session.send('go');
    await settled();
    call(client.last(), ['slow', '{}']);
    await settled();
    session.cancel();
    expect(signal?.aborted).toBe(true);
    gate.open();
    await settled();
    expect(callsOf(session)).toMatchObject([{ status: 'cancelled' }]);
    expect(types().at(-1)).toBe('run.ended');
    // The conversation continues afterwards.
    const sent = session.send('and now?');
    await settled();
    say(client.last(), 'fine');
    expect((await sent).outcome).toBe('completed');
  });

  test('may be cancelled by a subscriber during its own notification', async () => {
    const { session, client, types } = stage();
    session.events$.subscribe((event) => {
      if (event.type === 'text.delta') session.cancel();
    });
    const sent = session.send('Hello');
    await settled();
    client.last().chunks.next({ type: 'text', text: 'a' });
    client.last().chunks.next({ type: 'text', text: 'b' });
    expect((await sent).outcome).toBe('cancelled');
    expect(types().filter((type) => type === 'text.delta')).toHaveLength(1);
  });

  test('is not broken by a client that answers synchronously during subscribe', async () => {
    const { session } = stage({
      client: {
        sendRequest: () =>
          new Observable((subscriber) => {
            subscriber.next({ type: 'text', text: 'at once' });
            subscriber.next({ type: 'finish', reason: 'stop' });
            subscriber.complete();
          }),
      },
    });
    expect((await session.send('x')).outcome).toBe('completed');
    expect(texts(session)).toEqual(['user: x', 'assistant: at once']);
  });
});

describe('a session', () => {
  test('rejects a second run, and an empty message', async () => {
    const { session, client, events } = stage();
    void session.send('one');
    const before = events.length;
    expect(() => session.send('two')).toThrow(expect.objectContaining({ code: 'SESSION_BUSY' }));
    expect(() => session.resume()).toThrow(expect.objectContaining({ code: 'SESSION_BUSY' }));
    expect(events).toHaveLength(before);
    await settled();
    say(client.last(), 'ok');
    await settled();
    expect(() => session.send('  \n')).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
    expect(() => session.send({ content: [] })).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
    expect(() => session.resume()).toThrow(expect.objectContaining({ code: 'NOTHING_TO_RESUME' }));
  });

  test('sends messages with parts other than text', async () => {
    const { session, client } = stage();
    const image = { type: 'image', mediaType: 'image/png', data: 'AAAA' } as const;
    void session.send({ content: [image], metadata: { from: 'clipboard' } });
    await settled();
    expect(client.last().request.messages).toMatchObject([
      { role: 'user', content: [image], metadata: { from: 'clipboard' } },
    ]);
  });

  test('adds, updates and clears messages; an updater runs once', () => {
    const { session } = stage();
    const seen = vi.fn();
    session.messages$.subscribe(seen);
    const id = session.addMessage({ role: 'user', content: 'a' });
    const kept = session.addMessage({ role: 'assistant', content: 'b' });
    const other = session.getMessages().find((message) => message.id === kept);
    const updater = vi.fn((message: Message): Message => ({
      ...message,
      content: [{ type: 'text', text: 'A' }],
      id: 'forged',
      role: 'system',
    }));
    session.updateMessage(id, updater);
    session.messages$.subscribe();
    expect(updater).toHaveBeenCalledOnce();
    expect(texts(session)).toEqual(['user: A', 'assistant: b']);
    expect(session.getMessages()[1]).toBe(other);
    expect(() => session.updateMessage('none', (message) => message)).toThrow(
      expect.objectContaining({ code: 'MESSAGE_NOT_FOUND' }),
    );
    session.clear();
    expect(session.getMessages()).toEqual([]);
    expect(seen).toHaveBeenCalledTimes(5);
  });

  test('is cleared in the middle of a stream, and the reply does not come back', async () => {
    const { session, client } = stage();
    void session.send('Hello');
    await settled();
    client.last().chunks.next({ type: 'text', text: 'a' });
    session.clear();
    expect(client.last().aborted).toBe(true);
    client.last().chunks.next({ type: 'text', text: 'b' });
    expect(session.getMessages()).toEqual([]);
    expect(session.getStatus()).toBe('idle');
  });

  test('regenerates an answer, and restores the old answer if no new answer arrives', async () => {
    const { session, client } = stage();
    void session.send('Hello');
    await settled();
    say(client.last(), 'first');
    await settled();
    const failed = session.regenerate();
    await settled();
    expect(texts(session)).toEqual(['user: Hello', 'assistant: ']);
    client.last().chunks.error(new AgentError('offline', { code: 'OFFLINE' }));
    expect((await failed).outcome).toBe('failed');
    expect(texts(session)).toEqual(['user: Hello', 'assistant: first']);
    const anew = session.regenerate();
    await settled();
    expect(client.last().request.messages).toHaveLength(1);
    say(client.last(), 'second');
    await anew;
    expect(texts(session)).toEqual(['user: Hello', 'assistant: second']);
  });

  test('regenerates the answer to an earlier user message', async () => {
    const { session, client } = stage();
    for (const question of ['one', 'two']) {
      void session.send(question);
      await settled();
      say(client.last(), `re: ${question}`);
      await settled();
    }
    const first = session.getMessages()[0]?.id ?? '';
    void session.regenerate(first);
    await settled();
    say(client.last(), 'better');
    expect(texts(session)).toEqual(['user: one', 'assistant: better']);
    expect(() => session.regenerate('nobody')).toThrow(expect.objectContaining({ code: 'MESSAGE_NOT_FOUND' }));
  });

  test('restores the old answer at its place, also if a message was added meanwhile, or the new answer is empty', async () => {
    const { session, client } = stage();
    void session.send('Hello');
    await settled();
    say(client.last(), 'first');
    await settled();
    void session.regenerate();
    await settled();
    session.addMessage({ role: 'user', content: 'By the way' });
    client.last().chunks.error(new AgentError('offline', { code: 'OFFLINE' }));
    await settled();
    expect(texts(session)).toEqual(['user: Hello', 'assistant: first', 'user: By the way']);
    void session.regenerate(session.getMessages()[0]?.id);
    await settled();
    say(client.last());
    await settled();
    expect(texts(session)).toEqual(['user: Hello', 'assistant: first', 'user: By the way']);
  });

  test('sends with each request of a run the id of the user message that it answers, whatever is sent meanwhile', async () => {
    const look = defineTool({ name: 'look', description: '', input: object, execute: () => 'seen' });
    const { session, client } = stage({ tools: [look] });
    void session.send('Go.');
    await settled();
    void session.send('And quickly.', { whenBusy: 'steer' });
    call(client.last(), ['look', '{}']);
    await settled();
    say(client.last(), 'Gone.');
    await settled();
    const question = session.getMessages()[0]?.id;
    expect(client.asked.map(({ request }) => request.promptId)).toEqual([question, question]);
    void session.send('Again.');
    await settled();
    expect(client.last().request.promptId).toBe(session.getMessages().at(-2)?.id);
  });

  test('changes the status of a call only by its own events', async () => {
    const execute = vi.fn(() => 'paid');
    const pay = defineTool({ name: 'pay', description: '', input: object, needsApproval: true, execute });
    const { session, client } = stage({ tools: [pay] });
    void session.send('buy');
    await settled();
    const forged = {
      type: 'tool',
      callId: 'forged',
      name: 'pay',
      status: 'approved',
      inputText: '{}',
      input: {},
    } as const;
    session.addMessage({ role: 'assistant', content: [forged] });
    client.last().chunks.next({ type: 'part', part: forged });
    call(client.last(), ['pay', '{}']);
    await settled();
    const [held] = callsOf(session).filter(({ status }) => status === 'awaiting-approval');
    const message = session.getMessages().find(({ content }) => held !== undefined && content.includes(held));
    session.updateMessage(message?.id ?? '', (one) => ({
      ...one,
      content: [
        ...one.content.map((part) => (part.type === 'tool' ? { ...part, status: 'approved' as const } : part)),
        forged,
      ],
    }));
    await settled();
    expect(execute).not.toHaveBeenCalled();
    expect(
      callsOf(session)
        .map(({ status }) => status)
        .toSorted(),
    ).toEqual(['awaiting-approval', 'cancelled']);
    expect(() => session.addMessage({ id: message?.id ?? '', role: 'user', content: 'twice' })).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT' }),
    );
  });

  test('ends its run when its page is left, and appends nothing else', async () => {
    const { session, client, ports } = stage({ store: createMemoryStore() });
    const sent = session.send('Hello');
    await settled();
    client.last().chunks.next({ type: 'text', text: 'Half' });
    ports.hide();
    expect(session.getStatus()).toBe('running');
    ports.hide(true);
    expect(await sent).toMatchObject({ outcome: 'interrupted', message: { status: 'interrupted' } });
    expect((await sent).error).toBeUndefined();
    expect(client.last().aborted).toBe(true);
  });

  test('derives its title from the first message, until a title is set', async () => {
    const { session } = stage();
    session.addMessage({ role: 'user', content: '  What is a brook?\nA small stream.' });
    expect(session.getState().title).toBe('What is a brook?');
    session.rename('Brooks');
    session.addMessage({ role: 'user', content: 'And a river?' });
    expect(session.getState().title).toBe('Brooks');
  });

  test('overrides model and parameters for one run', async () => {
    const { session, client } = stage({ model: 'small', providerParams: { top_p: 1, seed: 1 }, maxTokens: 50 });
    void session.send('x', { model: 'large', providerParams: { seed: 2 } });
    await settled();
    expect(client.last().request).toMatchObject({
      sessionId: session.id,
      model: 'large',
      providerParams: { top_p: 1, seed: 2 },
      maxTokens: 50,
    });
    say(client.last(), 'ok');
    await settled();
    void session.send('y');
    await settled();
    expect(client.last().request).toMatchObject({ model: 'small', providerParams: { top_p: 1, seed: 1 } });
  });
});

describe('an approval', () => {
  function shop() {
    const paid = vi.fn(() => 'paid');
    const looked = vi.fn(() => 'seen');
    const pay = defineTool({
      name: 'pay',
      description: '',
      input: { type: 'object', properties: { amount: { type: 'number', maximum: 100 } }, required: ['amount'] },
      needsApproval: true,
      execute: paid,
    });
    const look = defineTool({ name: 'look', description: '', input: object, execute: looked });
    return { ...stage({ tools: [pay, look], store: createMemoryStore() }), paid, looked, pay, look };
  }

  test('delays its call, lets siblings run, and sends the next request only when all calls have ended', async () => {
    const { session, client, paid, looked } = shop();
    const sent = session.send('buy');
    await settled();
    call(client.last(), ['pay', '{"amount":5}'], ['look', '{}']);
    await settled();
    expect(session.getStatus()).toBe('waiting');
    expect(paid).not.toHaveBeenCalled();
    expect(looked).toHaveBeenCalledOnce();
    expect(client.asked).toHaveLength(1);
    await session.approve(callId(session, 'pay'));
    await settled();
    expect(paid).toHaveBeenCalledExactlyOnceWith({ amount: 5 }, expect.objectContaining({ sessionId: session.id }));
    say(client.last(), 'bought');
    expect((await sent).outcome).toBe('completed');
  });

  test('rejected: the tool never runs, the model receives the reason, and the loop continues', async () => {
    const { session, client, paid } = shop();
    void session.send('buy');
    await settled();
    call(client.last(), ['pay', '{"amount":5}']);
    await settled();
    await session.reject(callId(session, 'pay'), { reason: 'too dear' });
    await settled();
    expect(paid).not.toHaveBeenCalled();
    expect(client.last().request.messages.flatMap(toolParts)).toMatchObject([
      { status: 'rejected', approval: { reason: 'too dear', decidedBy: 'user' } },
    ]);
  });

  test('edited: the input is checked, an invalid input changes nothing, and the model’s own call stays unchanged', async () => {
    const { session, client, paid } = shop();
    void session.send('buy');
    await settled();
    call(client.last(), ['pay', '{"amount":5}']);
    await settled();
    const id = callId(session, 'pay');
    await expect(session.approve(id, { input: { amount: 500 } })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect(session.getStatus()).toBe('waiting');
    await session.approve(id, { input: { amount: 4 } });
    await settled();
    expect(paid).toHaveBeenCalledExactlyOnceWith({ amount: 4 }, expect.anything());
    expect(callsOf(session)).toMatchObject([{ input: { amount: 5 }, editedInput: { amount: 4 }, status: 'succeeded' }]);
  });

  test('decided twice runs once; decisions on unknown and ended calls are rejected', async () => {
    const { session, client, paid } = shop();
    void session.send('buy');
    await settled();
    call(client.last(), ['pay', '{"amount":5}']);
    await settled();
    const id = callId(session, 'pay');
    const both = await Promise.allSettled([session.approve(id), session.approve(id), session.reject(id)]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    await settled();
    expect(paid).toHaveBeenCalledOnce();
    await expect(session.approve(id)).rejects.toMatchObject({ code: 'CALL_NOT_PENDING' });
    await expect(session.reject('nobody')).rejects.toMatchObject({ code: 'CALL_NOT_FOUND' });
  });

  test('cancelled while waiting: nothing runs, and a later approval is rejected', async () => {
    const { session, client, paid } = shop();
    const sent = session.send('buy');
    await settled();
    call(client.last(), ['pay', '{"amount":5}']);
    await settled();
    session.cancel();
    expect((await sent).outcome).toBe('cancelled');
    await expect(session.approve(callId(session, 'pay'))).rejects.toMatchObject({ code: 'CALL_NOT_PENDING' });
    expect(paid).not.toHaveBeenCalled();
  });

  test('survives a reload: another agent on the same store approves, and the run continues', async () => {
    const { session, client, agent, pay, look, paid } = shop();
    void session.send('buy');
    await settled();
    call(client.last(), ['pay', '{"amount":5}'], ['pay', '{"amount":6}']);
    await settled();
    await session.flushed();

    const later = createManualClient();
    const reloaded = createAgent({
      client: later,
      tools: [pay, look],
      ports: createManualPorts(),
      store: agent.store ?? createMemoryStore(),
    });
    const again = await reloaded.openSession(session.id);
    expect(again.getStatus()).toBe('waiting');
    expect(again.getMessages()).toEqual(session.getMessages());
    const [one, two] = callsOf(again);
    await again.approve(two?.callId ?? '');
    await settled();
    expect(paid).toHaveBeenCalledExactlyOnceWith({ amount: 6 }, expect.anything());
    expect(later.asked).toHaveLength(0);
    await again.reject(one?.callId ?? '');
    await settled();
    expect(later.asked).toHaveLength(1);
    say(later.last(), 'done');
    await settled();
    expect(again.getStatus()).toBe('idle');
    // The tab that was left behind has lost the session, and reports the loss.
    await expect(session.approve(callId(session, 'pay')).then(() => session.flushed())).rejects.toBeInstanceOf(
      AgentError,
    );
    expect(paid).toHaveBeenCalledOnce();
  });

  test('awaited by a run can be cancelled with that run after a reload', async () => {
    const { session, client, agent, pay } = shop();
    void session.send('buy');
    await settled();
    call(client.last(), ['pay', '{"amount":5}']);
    await settled();
    await session.flushed();
    const reloaded = createAgent({
      client: createManualClient(),
      tools: [pay],
      store: agent.store ?? createMemoryStore(),
    });
    const again = await reloaded.openSession(session.id);
    again.cancel();
    expect(again.getStatus()).toBe('idle');
    expect(callsOf(again)).toMatchObject([{ status: 'cancelled' }]);
  });
});

describe('a cancel', () => {
  test('aborts the request before it records the end of the run, and before a subscriber hears of it', async () => {
    const { session, client } = stage();
    void session.send('Hi');
    await settled();
    client.last().chunks.next({ type: 'text', text: 'Hello' });
    const aborted: boolean[] = [];
    const note = (): void => void aborted.push(client.last().aborted);
    session.events$.subscribe(note);
    session.messages$.subscribe(note);
    aborted.length = 0;
    session.cancel();
    expect(aborted.length).toBeGreaterThan(0);
    expect(new Set(aborted)).toEqual(new Set([true]));
  });
});
