import {
  AgentError,
  type ChatOutput,
  createAgent,
  defineTool,
  extractTextContent,
  type LLMRequest,
  type SessionEvent,
  type SessionStore,
} from 'brooklet';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { firstValueFrom, lastValueFrom, toArray } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { createManualClient, say, settled } from '../support/manual-client.ts';
import { createManualPorts } from '../support/ports.ts';

function stage(store?: SessionStore) {
  const client = createManualClient();
  const ports = createManualPorts();
  const agent = createAgent({ client, ports, ...(store && { store }) });
  return { agent, client, ports, id: agent.createSession() };
}

function watch(outputs: ReturnType<ReturnType<typeof createAgent>['chat']>) {
  const seen: ChatOutput[] = [];
  const ends: unknown[] = [];
  const subscription = outputs.subscribe({
    next: (output) => seen.push(output),
    error: (error) => ends.push(error),
    complete: () => ends.push('complete'),
  });
  return { seen, ends, subscription };
}

const textsOf = (outputs: readonly ChatOutput[]): string[] => outputs.map(({ content }) => extractTextContent(content));

describe('chat()', () => {
  test('sends no request without a subscriber', async () => {
    const { agent, client, id } = stage();
    agent.chat(id, 'Hello');
    await settled();
    expect(client.asked).toHaveLength(0);
    expect(agent.getSession(id)?.getMessages()).toEqual([]);
  });

  test.each([1, 3])('sends one request with %i subscribers, which all receive the same outputs', async (count) => {
    const { agent, client, id, ports } = stage();
    const outputs = agent.chat(id, 'Hello');
    const watchers = Array.from({ length: count }, () => watch(outputs));
    await settled();
    client.last().chunks.next({ type: 'text', text: 'Hi' });
    ports.drawFrame();
    say(client.last(), ' there');
    await settled();
    expect(client.asked).toHaveLength(1);
    for (const { seen, ends } of watchers) {
      expect(textsOf(seen).join('')).toBe('Hi there');
      expect(seen.map(({ message }) => extractTextContent(message))).toEqual(['Hi', 'Hi there']);
      expect(seen.map(({ outcome }) => outcome)).toEqual([undefined, 'completed']);
      expect(ends).toEqual(['complete']);
    }
  });

  test('replays the last output to a late subscriber without another request', async () => {
    const { agent, client, id } = stage();
    const outputs = agent.chat(id, 'Hello');
    watch(outputs);
    await settled();
    say(client.last(), 'Hi');
    await settled();
    const { seen, ends } = watch(outputs);
    await settled();
    expect(seen).toMatchObject([{ outcome: 'completed', message: { content: [{ type: 'text', text: 'Hi' }] } }]);
    expect(ends).toEqual(['complete']);
    expect(client.asked).toHaveLength(1);
  });

  test('is cancelled when the last subscriber unsubscribes, not before', async () => {
    const { agent, client, id } = stage();
    const outputs = agent.chat(id, 'Hello');
    const one = watch(outputs);
    const other = watch(outputs);
    await settled();
    client.last().chunks.next({ type: 'text', text: 'Hi' });
    one.subscription.unsubscribe();
    expect(client.last().aborted).toBe(false);
    other.subscription.unsubscribe();
    expect(client.last().aborted).toBe(true);
    expect(agent.getSession(id)?.getMessages()).toMatchObject([
      { role: 'user' },
      { role: 'assistant', status: 'interrupted' },
    ]);
    // A new subscription does not start the run again.
    expect(watch(outputs).seen).toMatchObject([{ outcome: 'cancelled' }]);
    expect(client.asked).toHaveLength(1);
  });

  test('completes as cancelled, not as completed, after agent.cancel()', async () => {
    const { agent, client, id } = stage();
    const { seen, ends } = watch(agent.chat(id, 'Hello'));
    await settled();
    client.last().chunks.next({ type: 'text', text: 'Hi' });
    agent.cancel(id);
    expect(seen.at(-1)).toMatchObject({ outcome: 'cancelled', message: { status: 'interrupted' } });
    expect(ends).toEqual(['complete']);
  });

  test('ends with an output even if the run is cancelled before any text arrived', async () => {
    const { agent, id } = stage();
    const { seen, ends } = watch(agent.chat(id, 'Hello'));
    agent.cancel(id);
    expect(seen).toMatchObject([{ outcome: 'cancelled', content: [], message: { role: 'assistant', content: [] } }]);
    expect(ends).toEqual(['complete']);
  });

  test('errors when the run fails or is interrupted; the received text stays in the session', async () => {
    const { agent, client, id } = stage();
    const { ends } = watch(agent.chat(id, 'Hello'));
    await settled();
    client.last().chunks.next({ type: 'text', text: 'Hal' });
    client.last().chunks.complete();
    expect(ends).toMatchObject([{ name: 'AgentError', code: 'STREAM_INTERRUPTED' }]);
    expect(agent.getSession(id)?.getMessages().at(-1)).toMatchObject({ content: [{ text: 'Hal' }] });
  });

  test('errors for an unknown session, for a busy session, and for an empty message', async () => {
    const { agent, id } = stage();
    expect(watch(agent.chat('nobody', 'x')).ends).toMatchObject([{ code: 'SESSION_NOT_FOUND' }]);
    expect(watch(agent.chat(id, '')).ends).toMatchObject([{ code: 'INVALID_INPUT' }]);
    watch(agent.chat(id, 'x'));
    expect(watch(agent.chat(id, 'y')).ends).toMatchObject([{ code: 'SESSION_BUSY' }]);
    // The refused chat must not end the run in progress.
    expect(agent.getSession(id)?.getStatus()).toBe('running');
  });

  test('emits the whole answer once with stream: false', async () => {
    const { agent, client, id, ports } = stage();
    const { seen } = watch(agent.chat(id, 'Hello', { stream: false }));
    await settled();
    client.last().chunks.next({ type: 'text', text: 'Hi' });
    ports.drawFrame();
    say(client.last(), ' there');
    await settled();
    expect(seen).toMatchObject([{ content: [{ type: 'text', text: 'Hi there' }], outcome: 'completed' }]);
  });
});

describe('an agent', () => {
  test('runs many sessions concurrently without interference', async () => {
    const { agent, client, id: one } = stage();
    const two = agent.createSession();
    watch(agent.chat(one, 'first'));
    watch(agent.chat(two, 'second'));
    await settled();
    const [first, second] = client.asked;
    second?.chunks.next({ type: 'text', text: 'B' });
    first?.chunks.next({ type: 'text', text: 'A' });
    agent.cancel(one);
    expect([first?.aborted, second?.aborted]).toEqual([true, false]);
    if (second) say(second, 'b');
    expect(agent.getSession(one)?.getMessages().map(extractTextContent)).toEqual(['first', 'A']);
    expect(agent.getSession(two)?.getMessages().map(extractTextContent)).toEqual(['second', 'Bb']);
  });

  test('emits exactly one value of messages$ to a late subscriber', async () => {
    const { agent, client, id } = stage();
    watch(agent.chat(id, 'Hello'));
    await settled();
    for (let n = 0; n < 500; n++) client.last().chunks.next({ type: 'text', text: 'x' });
    const seen: unknown[] = [];
    agent.getSession(id)?.messages$.subscribe((messages) => seen.push(messages));
    expect(seen).toEqual([agent.getSession(id)?.getMessages()]);
  });

  test('restores a session from its store unchanged', async () => {
    const store = createMemoryStore();
    const { agent, client, id } = stage(store);
    watch(agent.chat(id, 'Hello'));
    await settled();
    say(client.last(), 'Hi');
    await agent.getSession(id)?.flushed();
    const again = createAgent({ client, store });
    expect(again.getSession(id)).toBeUndefined();
    const [session, same] = await Promise.all([again.openSession(id), again.openSession(id)]);
    expect(session).toBe(same);
    expect(again.getSession(id)).toBe(session);
    expect(session.getState()).toEqual(agent.getSession(id)?.getState());
    await expect(again.openSession('nobody')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
  });

  test('restores an unfinished reply as interrupted, with its text; the reply can be resumed or regenerated', async () => {
    const store = createMemoryStore();
    const { agent, client, id, ports } = stage(store);
    watch(agent.chat(id, 'Hello'));
    await settled();
    client.last().chunks.next({ type: 'text', text: 'Half' });
    ports.pass(100);
    await settled();
    // The tab dies here: nothing more is written.
    const later = createManualClient();
    const session = await createAgent({ client: later, store }).openSession(id);
    expect(session.getStatus()).toBe('interrupted');
    expect(session.getMessages().at(-1)).toMatchObject({ status: 'interrupted', content: [{ text: 'Half' }] });
    const resumed = session.resume();
    await settled();
    say(later.last(), ' done');
    expect((await resumed).outcome).toBe('completed');
    void session.regenerate();
    await settled();
    say(later.last(), 'Anew');
    expect(session.getMessages().map(extractTextContent)).toEqual(['Hello', 'Anew']);
  });

  test('removes a session: its run is cancelled, its streams complete, its methods reject, its row is deleted', async () => {
    const store = createMemoryStore();
    const { agent, client, id } = stage(store);
    const { seen, ends } = watch(agent.chat(id, 'Hello'));
    await settled();
    const session = agent.getSession(id);
    expect(agent.removeSession(id)).toBe(true);
    expect(client.last().aborted).toBe(true);
    expect(seen.at(-1)?.outcome).toBe('cancelled');
    expect(ends).toEqual(['complete']);
    expect(agent.getSession(id)).toBeUndefined();
    expect(() => session?.send('x')).toThrow(expect.objectContaining({ code: 'SESSION_REMOVED' }));
    expect(() => session?.addMessage({ role: 'user', content: 'x' })).toThrow(AgentError);
    await settled();
    expect(await store.read(id)).toBeUndefined();
    expect(agent.removeSession(id)).toBe(false);
  });

  test('lists its sessions in the store, most recently changed first', async () => {
    const store = createMemoryStore();
    const { agent, ports, id } = stage(store);
    ports.pass(10);
    const other = agent.createSession();
    ports.pass(10);
    agent.getSession(id)?.addMessage({ role: 'user', content: 'Hello' });
    await settled();
    expect((await store.list()).sessions).toMatchObject([
      { id, title: 'Hello', messageCount: 1, status: 'idle' },
      { id: other, title: '', messageCount: 0 },
    ]);
  });

  test('lets one of two agents run a session at a time; the other agent follows, then runs its own message', async () => {
    const store = createMemoryStore();
    const { agent, client, id } = stage(store);
    await agent.getSession(id)?.flushed();
    const second = createManualClient();
    const other = await createAgent({ client: second, store, ports: createManualPorts() }).openSession(id);
    watch(agent.chat(id, 'mine'));
    const sent = other.send('yours');
    await settled();
    // The second agent was too late: it has sent no request, and shows the messages of the first.
    expect(second.asked).toHaveLength(0);
    expect(other.getStatus()).toBe('running');
    expect(other.getMessages().map(extractTextContent)).toEqual(['mine', '']);
    expect(() => other.send('again')).toThrow(expect.objectContaining({ code: 'SESSION_BUSY' }));
    say(client.last(), 'first');
    await settled();
    expect(second.asked).toHaveLength(1);
    say(second.last(), 'second');
    expect((await sent).outcome).toBe('completed');
    await settled();
    const shown = other.getMessages().map(extractTextContent);
    expect(shown).toEqual(['mine', 'first', 'yours', 'second']);
    expect(agent.getSession(id)?.getMessages().map(extractTextContent)).toEqual(shown);
    const stored = await store.read(id);
    expect(stored?.events.filter((event: SessionEvent) => event.type === 'message.added')).toHaveLength(2);
  });
});

describe('the examples of seed 000', () => {
  const client = () =>
    createScriptedClient((_request: LLMRequest, index: number) => [
      reply.text(index === 0 ? 'A language.' : 'It adds types.'),
    ]);

  test('3.1: the whole answer', async () => {
    const agent = createAgent({ client: client() });
    const sessionId = agent.createSession();
    const response = await firstValueFrom(agent.chat(sessionId, 'What is TypeScript?', { stream: false }));
    expect(extractTextContent(response.content)).toBe('A language.');
    const last = await lastValueFrom(agent.chat(sessionId, 'And?'));
    expect(extractTextContent(last.message.content)).toBe('It adds types.');
  });

  test('3.2: printed chunk by chunk', async () => {
    const agent = createAgent({ client: client() });
    let printed = '';
    await new Promise<void>((complete, error) => {
      agent
        .chat(agent.createSession(), 'x')
        .subscribe({ next: (output) => (printed += extractTextContent(output.content)), error, complete });
    });
    expect(printed).toBe('A language.');
  });

  test('3.3: later turns include the earlier turns', async () => {
    const scripted = client();
    const agent = createAgent({ client: scripted });
    const sessionId = agent.createSession();
    await lastValueFrom(agent.chat(sessionId, 'What is TypeScript?'));
    await lastValueFrom(agent.chat(sessionId, 'How does it differ?'));
    expect(agent.getSession(sessionId)?.getMessages().length).toBe(4);
    expect(scripted.requests[1]?.messages.map(extractTextContent)).toEqual([
      'What is TypeScript?',
      'A language.',
      'How does it differ?',
    ]);
  });

  test('3.5: a client without an agent', async () => {
    const chunks = await lastValueFrom(
      client()
        .sendRequest({
          sessionId: 's',
          messages: [{ id: '1', role: 'user', content: [{ type: 'text', text: 'x' }], timestamp: 0 }],
          model: 'gpt-4-turbo',
          providerParams: { temperature: 0.7, max_tokens: 1000 },
        })
        .pipe(toArray()),
    );
    expect(chunks.map((chunk) => (chunk.type === 'text' ? chunk.text : chunk.type)).join('|')).toBe(
      'A |language.|finish',
    );
  });

  test('3.6: cancelled by unsubscribing', async () => {
    const scripted = createScriptedClient([[reply.text('A'), reply.until(new Promise(() => {}))]]);
    const agent = createAgent({ client: scripted });
    const sessionId = agent.createSession();
    await new Promise<void>((resolve) => {
      const subscription = agent.chat(sessionId, 'a long text').subscribe(() => {
        queueMicrotask(() => {
          subscription.unsubscribe();
          resolve();
        });
      });
    });
    expect(scripted.aborted).toBe(1);
    expect(agent.getSession(sessionId)?.getStatus()).toBe('idle');
  });

  test('3.7: sessions are created, used and removed', async () => {
    const agent = createAgent({ client: client() });
    const [one, two] = [agent.createSession(), agent.createSession()];
    await Promise.all([lastValueFrom(agent.chat(one, 'I am user 1')), lastValueFrom(agent.chat(two, 'I am user 2'))]);
    expect(agent.getSession(one)?.getMessages()[0]).not.toEqual(agent.getSession(two)?.getMessages()[0]);
    expect(agent.removeSession(one)).toBe(true);
    expect(agent.getSession(one)).toBeUndefined();
  });
});

describe('createAgent refuses at once, with INVALID_CONFIG,', () => {
  const tool = defineTool({ name: 'look', description: 'Looks.', input: { type: 'object' }, execute: () => 'seen' });

  test.each<[string, object]>([
    ['a model without a client', { model: 'm' }],
    ['parameters without a client', { providerParams: { seed: 1 } }],
    ['a client that cannot send', { client: {} }],
    [
      'a tool that defineTool did not make',
      { client: createScriptedClient([]), tools: [{ name: 'look', description: '', inputSchema: {} }] },
    ],
    [
      'a store without all verbs',
      {
        client: createScriptedClient([]),
        store: { list: () => {}, read: () => {}, write: () => {}, remove: () => {} },
      },
    ],
    ['parameters that JSON cannot hold', { client: createScriptedClient([]), providerParams: { on: () => {} } }],
    ['two tools of the same name', { client: createScriptedClient([]), tools: [tool, tool] }],
  ])('%s', (_what, options) => {
    expect(() => void Reflect.apply(createAgent, undefined, [options])).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIG' }),
    );
  });

  test('a tool is plain data to its user', () => {
    expect(Object.keys(tool)).toEqual(['name', 'description', 'inputSchema']);
    expect(JSON.parse(JSON.stringify(tool))).toEqual({
      name: 'look',
      description: 'Looks.',
      inputSchema: { type: 'object' },
    });
  });
});
