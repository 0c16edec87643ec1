import { createAgent, extractTextContent, type PendingCall } from 'brooklet';
import { createMemoryStore } from 'brooklet/storage';
import { retry } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { call, createManualClient, say, settled } from '../support/manual-client.ts';
import { createManualPorts } from '../support/ports.ts';
import { ask, callIdOf, recorded, sessionOf, stage, statusesOf, textsOf } from '../support/stage.ts';
import { untyped } from '../support/untyped.ts';

async function answered(on: ReturnType<typeof stage>, text: string, answer: string): Promise<void> {
  const sent = on.session.send(text);
  await settled();
  say(on.client.last(), answer);
  await sent;
}

describe('removeMessage', () => {
  test('removes a message from the conversation, from later requests and after a reload', async () => {
    const store = createMemoryStore();
    const on = stage({ store });
    await answered(on, 'Hello', 'Hi');
    const [first] = on.session.getMessages();
    on.session.removeMessage(first?.id ?? '');
    expect(textsOf(on.session)).toEqual(['Hi']);
    await answered(on, 'Again', 'Yes');
    expect(on.client.last().request.messages.map(({ content }) => content)).toEqual([
      [{ type: 'text', text: 'Hi' }],
      [{ type: 'text', text: 'Again' }],
    ]);
    await on.session.flushed();
    const reloaded = await stage({ store, ports: createManualPorts('later') }).agent.openSession(on.session.id);
    expect(reloaded.getState().messages).toEqual(on.session.getMessages());
  });

  test('refuses an unknown message, and any message during a run', async () => {
    const on = stage({ tools: [recorded('send', { needsApproval: true }).tool] });
    on.session.addMessage({ id: 'm', role: 'user', content: 'Hello' });
    expect(() => on.session.removeMessage('none')).toThrow(expect.objectContaining({ code: 'MESSAGE_NOT_FOUND' }));
    await ask(on, ['send', '{}']);
    expect(() => on.session.removeMessage('m')).toThrow(expect.objectContaining({ code: 'SESSION_BUSY' }));
  });
});

describe('metadata', () => {
  test('is replaced as a whole, a copy, and survives a reload and a fork', async () => {
    const store = createMemoryStore();
    const { session, agent } = stage({ store });
    const metadata = { project: 'p', tags: ['a'] };
    session.setMetadata(metadata);
    metadata.tags.push('b');
    expect(session.getState().metadata).toEqual({ project: 'p', tags: ['a'] });
    session.setMetadata({ project: 'q' });
    await session.flushed();
    expect(
      (await stage({ store, ports: createManualPorts('later') }).agent.openSession(session.id)).getState().metadata,
    ).toEqual({ project: 'q' });
    const forked = await agent.forkSession(session.id);
    expect(agent.getSession(forked)?.getState().metadata).toEqual({ project: 'q' });
  });
});

describe('close', () => {
  test('stores everything, completes the streams and leaves the session in the store', async () => {
    const store = createMemoryStore();
    const { session, agent } = stage({ store });
    let isComplete = false;
    session.messages$.subscribe({ complete: () => (isComplete = true) });
    session.addMessage({ id: 'm', role: 'user', content: 'Hello' });
    await session.close();
    expect(isComplete).toBe(true);
    expect(agent.getSession(session.id)).toBeUndefined();
    expect(() => session.rename('x')).toThrow(expect.objectContaining({ code: 'SESSION_REMOVED' }));
    expect((await agent.openSession(session.id)).getMessages()).toMatchObject([{ id: 'm' }]);
    expect(await agent.closeSession(session.id)).toBe(true);
    expect(await agent.closeSession(session.id)).toBe(false);
  });

  test('interrupts a run, which can be resumed; a call that waits goes on waiting', async () => {
    const store = createMemoryStore();
    const on = stage({ store, tools: [recorded('send', { needsApproval: true }).tool] });
    void on.session.send('go');
    await settled();
    await on.session.close();
    expect(on.client.last().aborted).toBe(true);
    const again = await on.agent.openSession(on.session.id);
    expect(again.getStatus()).toBe('interrupted');
    void again.resume();
    await settled();
    call(on.client.last(), ['send', '{}']);
    await settled();
    expect(again.getStatus()).toBe('waiting');
    await on.agent.closeSession(on.session.id);
    const third = await on.agent.openSession(on.session.id);
    expect(third.getStatus()).toBe('waiting');
    await third.approve(callIdOf(third));
    await settled();
    expect(statusesOf(third)).toEqual(['succeeded']);
  });

  test('does nothing the second time, and stores nothing of a session that is read-only', async () => {
    const memory = createMemoryStore();
    const { session } = stage({ store: memory });
    await session.close();
    await session.close();
    const { summary, events } = (await memory.read(session.id)) ?? expect.unreachable();
    const damaged = { ...memory, read: async () => ({ summary, events, damage: 'event 2' }) };
    const reader = createAgent({ client: createManualClient(), store: damaged });
    await (await reader.openSession(session.id)).close();
    expect(reader.getSession(session.id)).toBeUndefined();
  });

  test('rejects when the store fails, and the session stays open', async () => {
    const store = { ...createMemoryStore(), write: () => Promise.reject(new Error('full')) };
    const { session, agent } = stage({ store });
    await expect(session.close()).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
    expect(agent.getSession(session.id)).toBe(session);
  });

  test('dispose closes all sessions of an agent, which then opens none', async () => {
    const store = createMemoryStore();
    const { agent, session } = stage({ store });
    const other = agent.createSession();
    let isComplete = false;
    agent.events$.subscribe({ complete: () => (isComplete = true) });
    await agent.dispose();
    expect(isComplete).toBe(true);
    expect(await store.read(other)).toBeDefined();
    expect(() => session.rename('x')).toThrow(expect.objectContaining({ code: 'SESSION_REMOVED' }));
    expect(() => agent.createSession()).toThrow(expect.objectContaining({ code: 'ABORTED' }));
    await expect(agent.openSession(other)).rejects.toMatchObject({ code: 'ABORTED' });
  });
});

describe('await using', () => {
  test('closes a session, and disposes of an agent, at the end of the block', async () => {
    const store = createMemoryStore();
    const id = await (async () => {
      await using agent = createAgent({ client: createManualClient(), store });
      await using session = sessionOf(agent, agent.createSession());
      session.addMessage({ id: 'm', role: 'user', content: 'Hello' });
      return session.id;
    })();
    expect((await store.read(id))?.summary.messageCount).toBe(1);
    const other = createAgent({ client: createManualClient(), store });
    {
      await using opened = await other.openSession(id);
      expect(opened.getMessages()).toMatchObject([{ id: 'm' }]);
    }
    expect(other.getSession(id)).toBeUndefined();
    await other[Symbol.asyncDispose]();
    expect(() => other.createSession()).toThrow(expect.objectContaining({ code: 'ABORTED' }));
  });
});

describe('the streams of an agent', () => {
  test('have the events of all its sessions, and the calls that await a decision', async () => {
    const on = stage({ tools: [recorded('send', { needsApproval: true }).tool] });
    const seen: string[] = [];
    on.agent.events$.subscribe(({ sessionId, event }) => seen.push(`${sessionId} ${event.type}`));
    const pending: (readonly PendingCall[])[] = [];
    on.agent.pending$.subscribe((calls) => pending.push(calls));
    const other = on.agent.createSession({ id: 'other' });
    on.agent.getSession(other)?.rename('Other');
    await ask(on, ['send', '{}']);
    expect(seen).toContain('other session.renamed');
    expect(seen).toContain(`${on.session.id} call.requested`);
    expect(pending.map((calls) => calls.length)).toEqual([0, 1]);
    expect(on.agent.getPending()).toBe(pending.at(-1));
    const [{ sessionId, call: held } = untyped(undefined)] = on.agent.getPending();
    await sessionOf(on.agent, sessionId).reject(held?.callId ?? '');
    expect(pending.at(-1)).toEqual([]);
  });
});

describe('onError', () => {
  test('receives what would be in the log only, with its cause', async () => {
    const cause = new Error('disk on fire');
    const errors: (readonly [code: string, cause: unknown])[] = [];
    const failing = recorded('failing', {
      execute: () => {
        throw cause;
      },
    });
    const store = { ...createMemoryStore(), write: () => Promise.reject(cause) };
    const on = stage({ store, tools: [failing.tool], onError: (error) => errors.push([error.code, error.cause]) });
    await settled();
    expect(errors).toContainEqual(['STORAGE_FAILED', cause]);
    const free = stage({ tools: [failing.tool], onError: (error) => errors.push([error.code, error.cause]) });
    await ask(free, ['failing', '{}']);
    expect(errors).toContainEqual(['TOOL_FAILED', cause]);
    free.client.last().chunks.error(cause);
    await settled();
    expect(errors).toContainEqual(['LLM_API_ERROR', cause]);
    expect(on.session.getMessages()).toEqual([]);
  });
});

describe('createSession', () => {
  test('takes an id and metadata, and refuses an id in use', () => {
    const { agent } = stage();
    expect(agent.createSession({ id: 'mine', metadata: { project: 'p' } })).toBe('mine');
    expect(agent.getSession('mine')?.getState().metadata).toEqual({ project: 'p' });
    for (const id of ['mine', '', untyped(5)])
      expect(() => agent.createSession({ id })).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
    expect(() => agent.createSession({ metadata: untyped('p') })).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT' }),
    );
  });

  test('takes instructions and tools, which openSession takes again', async () => {
    const store = createMemoryStore();
    const common = recorded('common');
    const own = recorded('own');
    const on = stage({ store, instructions: 'Agent.', tools: [common.tool] });
    const setup = { instructions: 'Session.', tools: [own.tool] };
    const id = on.agent.createSession(setup);
    const session = sessionOf(on.agent, id);
    void session.send('go');
    await settled();
    const seen = () => [
      on.client.last().request.messages[0]?.content,
      on.client.last().request.tools?.map(({ name }) => name),
    ];
    expect(seen()).toEqual([[{ type: 'text', text: 'Session.' }], ['common', 'own']]);
    on.agent.addTool(recorded('later').tool);
    call(on.client.last(), ['own', '{}']);
    await settled();
    expect(own.runs).toHaveLength(1);
    expect(seen()[1]).toEqual(['common', 'own', 'later']);
    say(on.client.last(), 'Done');
    await session.close();
    void (await on.agent.openSession(id, setup)).send('again');
    await settled();
    expect(seen()[0]).toEqual([{ type: 'text', text: 'Session.' }]);
    void on.session.send('go');
    await settled();
    expect(seen()).toEqual([[{ type: 'text', text: 'Agent.' }], ['common', 'later']]);
  });
});

describe('a run', () => {
  test('offers only the tools that it names, also when it is resumed', async () => {
    const [a, b] = [recorded('a'), recorded('b')];
    const on = stage({ tools: [a.tool, b.tool] });
    void on.session.send('go', { tools: ['b'] });
    await settled();
    const offered = () => on.client.last().request.tools?.map(({ name }) => name);
    expect(offered()).toEqual(['b']);
    call(on.client.last(), ['a', '{}'], ['b', '{}']);
    await settled();
    expect(statusesOf(on.session)).toEqual(['invalid', 'succeeded']);
    on.session.cancel();
    void on.session.resume();
    await settled();
    expect(offered()).toEqual(['b']);
    on.session.cancel();
    for (const tools of [['c'], untyped(5), [untyped(5)]])
      expect(() => on.session.send('go', { tools })).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
    void on.session.send('go', { tools: [a.tool] });
    await settled();
    expect(offered()).toEqual(['a']);
  });

  test('is cancelled by its signal, and no other run is', async () => {
    const on = stage();
    const first = new AbortController();
    const second = new AbortController();
    const sent = on.session.send('one', { signal: first.signal });
    const queued = on.session.send('two', { signal: second.signal, whenBusy: 'queue' });
    second.abort();
    expect(await queued).toEqual({ outcome: 'cancelled' });
    await settled();
    first.abort();
    expect(await sent).toMatchObject({ outcome: 'cancelled' });
    expect(on.client.last().aborted).toBe(true);
    expect(await on.session.send('three', { signal: first.signal })).toEqual({ outcome: 'cancelled' });
    const next = on.session.send('four', { signal: new AbortController().signal });
    await settled();
    first.abort();
    say(on.client.last(), 'Fine');
    expect(await next).toMatchObject({ outcome: 'completed' });
    expect(textsOf(on.session)).toEqual(['one', 'four', 'Fine']);
  });
});

describe('a run that is resumed', () => {
  test('is cancelled by its own signal', async () => {
    const on = stage();
    void on.session.send('one');
    await settled();
    on.session.cancel();
    const stop = new AbortController();
    const resumed = on.session.resume({ signal: stop.signal });
    await settled();
    stop.abort();
    expect(await resumed).toMatchObject({ outcome: 'cancelled' });
  });

  test('takes no other object for a signal', () => {
    const on = stage();
    expect(() => on.session.send('go', { signal: untyped({}) })).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT' }),
    );
  });
});

describe('chat', () => {
  test('marks the output with the first text of each reply, with and without reasoning before', async () => {
    const on = stage({ tools: [recorded('look').tool] });
    const seen: [string, boolean | undefined][] = [];
    on.agent.chat(on.session.id, 'Hello').subscribe(({ content, isContentFirst }) => {
      seen.push([content.map((part) => ('text' in part ? part.text : part.type)).join(), isContentFirst]);
    });
    const chunk = async (text: string, type: 'text' | 'reasoning' = 'text') => {
      on.client.last().chunks.next({ type, text });
      on.ports.pass(1_000);
      on.ports.drawFrame();
      await settled();
    };
    await settled();
    await chunk('Hm.', 'reasoning');
    await chunk('I');
    await chunk(' look.');
    call(on.client.last(), ['look', '{}']);
    await settled();
    await chunk('An');
    await chunk(' otter.');
    say(on.client.last(), '');
    await settled();
    expect(seen.filter(([text]) => !text.startsWith('tool') && text !== '')).toEqual([
      ['Hm.', undefined],
      ['I', true],
      [' look.', undefined],
      ['An', true],
      [' otter.', undefined],
    ]);
  });

  test('marks the one output of an answer that is not streamed, if it has text', async () => {
    const on = stage();
    const seen: unknown[] = [];
    const ask = async (...chunks: readonly string[]): Promise<void> => {
      on.agent.chat(on.session.id, 'Hello', { stream: false }).subscribe((output) => seen.push(output.isContentFirst));
      await settled();
      say(on.client.last(), ...chunks);
      await settled();
    };
    await ask('Hi', ' there');
    await ask();
    expect(seen).toEqual([true, undefined]);
  });

  test('emits the parts and the calls of the reply', async () => {
    const on = stage({ tools: [recorded('look').tool] });
    const seen: string[] = [];
    on.agent.chat(on.session.id, 'Hello').subscribe(({ content }) => {
      for (const part of content) seen.push(part.type === 'tool' ? `${part.name} ${part.status}` : part.type);
    });
    await settled();
    on.client.last().chunks.next({ type: 'part', part: { type: 'provider', name: 'search', data: {} } });
    call(on.client.last(), ['look', '{}']);
    await settled();
    say(on.client.last(), 'Done');
    await settled();
    expect(new Set(seen)).toEqual(new Set(['provider', 'look approved', 'look succeeded', 'text']));
  });
  test('goes on after an error when rxjs subscribes again, and asks once', async () => {
    const on = stage();
    const outputs: string[] = [];
    let isComplete = false;
    on.agent
      .chat(on.session.id, 'Hello', { stream: false })
      .pipe(retry(2))
      .subscribe({
        next: ({ message }) => outputs.push(extractTextContent(message)),
        complete: () => (isComplete = true),
      });
    await settled();
    on.client.last().chunks.error(new Error('lost'));
    await settled();
    on.client.last().chunks.error(new Error('lost again'));
    await settled();
    say(on.client.last(), 'Hi');
    await settled();
    expect(outputs).toEqual(['Hi']);
    expect(isComplete).toBe(true);
    expect(textsOf(on.session)).toEqual(['Hello', 'Hi']);
    expect(on.client.asked).toHaveLength(3);
  });

  test('sends the message when the first try could not', async () => {
    const on = stage();
    void on.session.send('busy');
    await settled();
    const outputs: string[] = [];
    const chat$ = on.agent.chat(on.session.id, 'Hello', { stream: false });
    chat$.subscribe({ error: () => {} });
    say(on.client.last(), 'Done');
    await settled();
    chat$.subscribe(({ message }) => outputs.push(extractTextContent(message)));
    await settled();
    say(on.client.last(), 'Hi');
    await settled();
    expect(outputs).toEqual(['Hi']);
    expect(textsOf(on.session)).toEqual(['busy', 'Done', 'Hello', 'Hi']);
  });
});
