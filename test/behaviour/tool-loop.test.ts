import { createAgent, defineTool, type SessionEvent, toolParts } from 'brooklet';
import { createMemoryStore } from 'brooklet/storage';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createGate } from '../support/gate.ts';
import { call, createManualClient, say, settled } from '../support/manual-client.ts';
import { createManualPorts } from '../support/ports.ts';
import { ask, callIdOf, callsOf, recorded, stage, statusesOf, textsOf } from '../support/stage.ts';

describe('an exclusive tool', () => {
  test('runs alone: neither with earlier nor with later calls; the model reads the results in the order of its calls', async () => {
    const gates = [createGate(), createGate(), createGate()];
    const waits = (name: string, gate = createGate(), exclusive = false) =>
      recorded(name, { exclusive, execute: () => gate.opened.then(() => name) }).tool;
    const s = stage({ tools: [waits('one', gates[0]), waits('alone', gates[1], true), waits('two', gates[2])] });
    await ask(s, ['one', '{}'], ['alone', '{}'], ['two', '{}']);
    expect(statusesOf(s.session)).toEqual(['started', 'approved', 'started']);
    gates[2]?.open();
    await settled();
    expect(statusesOf(s.session)).toEqual(['started', 'approved', 'succeeded']);
    gates[0]?.open();
    await settled();
    expect(statusesOf(s.session)).toEqual(['succeeded', 'started', 'succeeded']);
    gates[1]?.open();
    await settled();
    expect(
      s.client
        .last()
        .request.messages.flatMap(toolParts)
        .map(({ output }) => output),
    ).toEqual(['one', 'alone', 'two']);
  });

  test('lets no other call start while it runs, not even another call of its own', async () => {
    const gate = createGate();
    const alone = recorded('alone', { exclusive: true, execute: () => gate.opened.then(() => '') });
    const s = stage({ tools: [alone.tool, recorded('other').tool] });
    await ask(s, ['alone', '{}'], ['alone', '{}'], ['other', '{}']);
    expect(statusesOf(s.session)).toEqual(['started', 'approved', 'approved']);
    gate.open();
    await settled();
    expect(statusesOf(s.session)).toEqual(['succeeded', 'succeeded', 'succeeded']);
  });

  test('does not block the other calls while it awaits approval', async () => {
    const s = stage({
      tools: [recorded('alone', { exclusive: true, needsApproval: true }).tool, recorded('other').tool],
    });
    await ask(s, ['alone', '{}'], ['other', '{}']);
    expect(statusesOf(s.session)).toEqual(['awaiting-approval', 'succeeded']);
  });
});

describe('a tool that was cut off', () => {
  /** A call that was running when its page was left, and the session as the next page opens it. */
  async function cut(options: Parameters<typeof recorded>[1]) {
    const store = createMemoryStore();
    const before = recorded('work', { ...options, execute: () => new Promise(() => {}) });
    const s = stage({ tools: [before.tool], store });
    await ask(s, ['work', '{"n":1}']);
    s.ports.hide(true);
    await s.session.flushed();
    const after = recorded('work', options);
    const client = createManualClient();
    const agent = createAgent({ client, ports: createManualPorts('later'), store, tools: [after.tool] });
    const session = await agent.openSession(s.session.id);
    const events: SessionEvent[] = [];
    session.events$.subscribe((event) => events.push(event));
    return { before, after, client, session, events };
  }

  test('runs again when the run is resumed, with the same key, if it is declared idempotent', async () => {
    const { before, after, client, session, events } = await cut({ idempotent: true });
    expect(statusesOf(session)).toEqual(['uncertain']);
    await settled();
    expect(after.runs).toEqual([]);
    const resumed = session.resume();
    await settled();
    expect(after.runs.map(([input]) => input)).toEqual([{ n: 1 }]);
    expect(after.runs[0]?.[1]).toMatchObject({ attempt: 2, idempotencyKey: before.runs[0]?.[1].idempotencyKey });
    expect(events.find(({ type }) => type === 'call.started')).toMatchObject({ attempt: 2 });
    expect(callsOf(session)).toMatchObject([{ status: 'succeeded', attempt: 2, isError: false }]);
    say(client.last(), 'done');
    expect((await resumed).outcome).toBe('completed');
  });

  test('does not run again otherwise: the model is told that the outcome is unknown', async () => {
    const { after, client, session } = await cut({});
    void session.resume();
    await settled();
    expect(after.runs).toEqual([]);
    expect(statusesOf(session)).toEqual(['uncertain']);
    expect(client.last().request.messages.flatMap(toolParts)).toMatchObject([{ status: 'uncertain' }]);
  });

  test('does not run again when another message is sent instead', async () => {
    const { after, session } = await cut({ idempotent: true });
    void session.send('Never mind.');
    await settled();
    expect(after.runs).toEqual([]);
    expect(statusesOf(session)).toEqual(['uncertain']);
  });

  test('does not run again if a person had approved another version of it', async () => {
    const store = createMemoryStore();
    const options = { idempotent: true, needsApproval: true };
    const s = stage({ tools: [recorded('work', { ...options, execute: () => new Promise(() => {}) }).tool], store });
    await ask(s, ['work', '{}']);
    await s.session.approve(callIdOf(s.session));
    await settled();
    s.ports.hide(true);
    await s.session.flushed();
    const changed = recorded('work', { ...options, input: { type: 'object', properties: { n: {} } } });
    const agent = createAgent({
      client: createManualClient(),
      ports: createManualPorts('later'),
      store,
      tools: [changed.tool],
    });
    const session = await agent.openSession(s.session.id);
    void session.resume();
    await settled();
    expect(changed.runs).toEqual([]);
    expect(statusesOf(session)).toEqual(['failed']);
  });
});

describe('the progress of a running tool', () => {
  test('is shown at the next frame, and removed when the tool ends', async () => {
    const gate = createGate();
    const work = recorded('work', {
      execute(_input, { progress }) {
        progress({ done: 1 });
        progress({ done: 2 });
        return gate.opened.then(() => 'ok');
      },
    });
    const s = stage({ tools: [work.tool] });
    const shown: unknown[] = [];
    s.session.messages$.subscribe((messages) => shown.push(messages.flatMap(toolParts)[0]?.progress));
    await ask(s, ['work', '{}']);
    expect(callsOf(s.session)).toMatchObject([{ status: 'started', progress: { done: 2 } }]);
    s.ports.drawFrame();
    expect(shown.filter(Boolean)).toEqual([{ done: 2 }]);
    gate.open();
    await settled();
    expect(callsOf(s.session)[0]).not.toHaveProperty('progress');
  });

  test('is not stored, and has no position in the log', async () => {
    const store = createMemoryStore();
    const work = recorded('work', {
      async execute(_input, { progress }) {
        for (let done = 0; done < 50; done++) {
          progress(done);
          await Promise.resolve();
        }
        return 'ok';
      },
    });
    const s = stage({ tools: [work.tool], store });
    await ask(s, ['work', '{}']);
    say(s.client.last(), 'done');
    await settled();
    await s.session.flushed();
    expect(s.types().filter((type) => type === 'call.progress')).toHaveLength(50);
    const stored = (await store.read(s.session.id))?.events ?? [];
    expect(stored.filter(({ type }) => type === 'call.progress')).toEqual([]);
    const reopened = await createAgent({ client: s.client, store }).openSession(s.session.id);
    expect(reopened.getMessages()).toEqual(s.session.getMessages());
  });

  test('is ignored after the tool has ended', async () => {
    let late = (_news: unknown): void => {};
    const work = recorded('work', { execute: (_input, { progress }) => ((late = progress), 'ok') });
    const s = stage({ tools: [work.tool] });
    await ask(s, ['work', '{}']);
    late('still here');
    expect(s.types()).not.toContain('call.progress');
    s.session.cancel();
    late('still here');
    expect(s.types()).not.toContain('call.progress');
  });
});

describe('a tool with followUp: false', () => {
  const tools = [recorded('show', { followUp: false }).tool, recorded('look').tool];

  test('ends the run without another request to the model', async () => {
    const s = stage({ tools });
    const sent = s.session.send('go');
    await settled();
    call(s.client.last(), ['show', '{}'], ['show', '{}']);
    expect((await sent).outcome).toBe('completed');
    expect(s.client.asked).toHaveLength(1);
  });

  test('does not end the run together with a tool that needs a follow-up, or if it fails', async () => {
    const s = stage({ tools });
    await ask(s, ['show', '{}'], ['look', '{}']);
    expect(s.client.asked).toHaveLength(2);
    call(s.client.last(), ['show', '{"n":']);
    await settled();
    expect(s.client.asked).toHaveLength(3);
  });

  test('does not end the conversation', async () => {
    const s = stage({ tools });
    await ask(s, ['show', '{}']);
    const sent = s.session.send('thanks');
    await settled();
    say(s.client.last(), 'gladly');
    expect((await sent).outcome).toBe('completed');
  });
});

describe('a long-lived session', () => {
  test('has each message once after many steps', async () => {
    const s = stage({ tools: [recorded('look').tool] });
    await ask(s, ['look', '{"n":0}']);
    for (let step = 1; step < 5; step++) {
      call(s.client.last(), ['look', JSON.stringify({ n: step })]);
      await settled();
    }
    say(s.client.last(), 'done');
    const messages = s.session.getMessages();
    expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length);
    expect(callsOf(s.session).map(({ input }) => input?.n)).toEqual([0, 1, 2, 3, 4]);
    expect(textsOf(s.session)).toEqual(['go', '', '', '', '', '', 'done']);
    expect(s.client.last().request.messages).toHaveLength(messages.length - 1);
  });

  test('adds and removes tools: the model sees the change at its next request', async () => {
    const s = stage({ tools: [recorded('one').tool] });
    const told = (): unknown => s.client.last().request.tools?.map(({ name }) => name);
    await ask(s, ['two', '{}']);
    expect(statusesOf(s.session)).toEqual(['invalid']);
    s.agent.addTool(recorded('two').tool);
    expect(s.agent.removeTool('one')).toBe(true);
    expect(s.agent.removeTool('one')).toBe(false);
    call(s.client.last(), ['two', '{}'], ['one', '{}']);
    await settled();
    expect(told()).toEqual(['two']);
    expect(statusesOf(s.session)).toEqual(['invalid', 'succeeded', 'invalid']);
  });

  test('has tools of its own, which come and go: a fork has them, other sessions do not', async () => {
    const s = stage({ tools: [recorded('one', { description: 'Of the agent.' }).tool] });
    const told = (): unknown =>
      s.client.last().request.tools?.map(({ name, description }) => `${name}: ${description}`);
    const id = s.session.id;
    s.agent.addTool(recorded('one', { description: 'Own.' }).tool, id);
    s.agent.addTool(recorded('two', { description: 'Own.' }).tool, id);
    void s.session.send('go');
    await settled();
    expect(told()).toEqual(['one: Own.', 'two: Own.']);
    say(s.client.last(), 'done');
    await settled();

    const fork = await s.agent.forkSession(id);
    const other = s.agent.createSession();
    s.agent.addTool(recorded('one', { description: 'New, of the agent.' }).tool);
    expect(s.agent.removeTool('two', id)).toBe(true);
    expect(s.agent.removeTool('two', id)).toBe(false);
    expect(s.agent.removeTool('two')).toBe(false);
    for (const [session, tools] of [
      [id, ['one: Own.']],
      [fork, ['one: Own.', 'two: Own.']],
      [other, ['one: New, of the agent.']],
    ] as const) {
      void s.agent.getSession(session)?.send('again');
      await settled();
      expect(told()).toEqual(tools);
      say(s.client.last(), 'done');
      await settled();
    }
    s.agent.removeTool('one', id);
    void s.session.send('last');
    await settled();
    expect(told()).toEqual(['one: New, of the agent.']);
  });

  test('gives no tool to a session that is not in memory', () => {
    const s = stage();
    expect(() => s.agent.addTool(recorded('one').tool, 'nowhere')).toThrow(
      expect.objectContaining({ code: 'SESSION_NOT_FOUND' }),
    );
    expect(() => s.agent.removeTool('one', 'nowhere')).toThrow(expect.objectContaining({ code: 'SESSION_NOT_FOUND' }));
  });

  test('reports an error if the result of a tool does not match its output schema', async () => {
    const tool = (response: string) =>
      defineTool({
        name: 'count',
        description: '',
        input: { type: 'object' },
        output: z.object({ n: z.number() }),
        execute(): { n: number } {
          const counted: { n: number } = JSON.parse(response);
          return counted;
        },
      });
    const s = stage({ tools: [tool('{ "n": 1 }')] });
    await ask(s, ['count', '{}']);
    s.agent.addTool(tool('{ "n": "many" }'));
    call(s.client.last(), ['count', '{}']);
    await settled();
    expect(callsOf(s.session)).toMatchObject([
      { status: 'succeeded', output: { n: 1 } },
      { status: 'failed', output: expect.stringContaining('does not fit its schema') },
    ]);
  });

  test('shows the results of tools without a presenter with the presenter of the agent', async () => {
    const own = recorded('own', { present: () => ({ summary: 'my own' }) });
    const s = stage({
      tools: [own.tool, recorded('other').tool],
      present: (name) => ({ summary: `${name}, by the agent`, details: { type: 'text', text: 'more' } }),
    });
    await ask(s, ['own', '{}'], ['other', '{}']);
    expect(callsOf(s.session).map(({ summary }) => summary)).toEqual(['my own', 'other, by the agent']);
    expect(callsOf(s.session)[1]?.details).toEqual({ type: 'text', text: 'more' });
  });
});
