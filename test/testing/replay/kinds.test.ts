import { readFileSync } from 'node:fs';
import {
  createAgent,
  defineTool,
  extractTextContent,
  type LLMClient,
  type SessionEvent,
  type SessionStore,
} from 'brooklet';
import { createMemoryStore, exportSession, importMessages, importSessions } from 'brooklet/storage';
import { createScriptedClient, replay, ReplayError, reply } from 'brooklet/testing';
import { describe, expect, test } from 'vitest';
import { record } from '../../review/recorded.ts';
import { play, schedules } from '../../support/schedule.ts';
import fc from 'fast-check';
import { seeded } from '../../support/seeded.ts';

async function logOf(store: SessionStore, id: string): Promise<readonly SessionEvent[]> {
  const events: readonly SessionEvent[] = JSON.parse(JSON.stringify((await store.read(id))?.events ?? []));
  expect(events.length).toBeGreaterThan(1);
  return events;
}

const window = {
  instructions: 'Be brief.',
  contextWindow: 900,
  context: { strategy: () => 'They talked.', toolOutput: 4, trigger: 0.3, target: 0.2 },
};

describe('a replay repeats', () => {
  test('the compactions of a context of its own, and finds another trigger', { timeout: 120_000 }, async () => {
    let compactions = 0;
    let differences = 0;
    await fc.assert(
      fc.asyncProperty(schedules, async (schedule) => {
        const { log } = await play(schedule, { agent: window });
        await replay(log, window);
        const isCompacted = log.some(({ type }) => type === 'context.compacted');
        if (!isCompacted) return;
        compactions++;
        const error: unknown = await replay(log, { ...window, context: { ...window.context, trigger: 0.99 } }).catch(
          (thrown: unknown) => thrown,
        );
        if (error instanceof ReplayError) differences++;
      }),
      { ...seeded(60, 8), endOnFailure: true },
    );
    expect([compactions > 0, differences]).toEqual([true, compactions]);
  });

  // The agent under test begins a compaction that the log does not have: the person interrupted the run before it began.
  test('a compaction that follows one whose run was cancelled', async () => {
    const text = readFileSync(new URL('cancelled-compaction.json', import.meta.url), 'utf8');
    const log: readonly SessionEvent[] = JSON.parse(text);
    const { requests } = await replay(log, window);
    expect(requests).toHaveLength(3);
  });

  test('a summary that a model wrote, with its usage', async () => {
    const client = createScriptedClient([
      [reply.text('Hello. '.repeat(200))],
      [reply.text('Yes. '.repeat(200))],
      [reply.text('They greeted.'), reply.usage(30, 3), reply.chunk({ type: 'finish', reason: 'stop', model: 'm9' })],
      [reply.text('Yes.')],
    ]);
    const store = createMemoryStore();
    const agent = createAgent({ client, store, contextWindow: 4_000 });
    const session = await agent.openSession(agent.createSession());
    await session.send('Hi. '.repeat(100));
    await session.send('Are you there? '.repeat(50));
    await session.compact();
    await session.send('Still there?');
    await session.flushed();
    const log = await logOf(store, session.id);
    expect(log).toContainEqual(expect.objectContaining({ type: 'context.compacted', model: 'm9' }));
    await replay(log);
    await replay(log, { contextWindow: 4_000 });
  });

  test('a request that was refused as too long, compacted and sent again', async () => {
    const client = createScriptedClient([
      [reply.text('One. '.repeat(50))],
      [reply.fail('CONTEXT_OVERFLOW')],
      [reply.text('Two.')],
    ]);
    const store = createMemoryStore();
    const options = { contextWindow: 100_000, context: { strategy: () => 'They talked.' } };
    const agent = createAgent({ client, store, ...options });
    const session = await agent.openSession(agent.createSession());
    await session.send('1? '.repeat(60));
    await session.send('2?');
    await session.flushed();
    const log = await logOf(store, session.id);
    expect(log.map(({ type }) => type)).toEqual(expect.arrayContaining(['reply.refused', 'context.compacted']));
    await replay(log);
    await replay(log, options);
  });

  test.each(['steps', 'tokens', 'time', 'stopWhen'] as const)('a run that ended at its limit of %s', async (limit) => {
    let now = 1_000;
    const tool = defineTool({
      name: 'work',
      description: 'Works.',
      input: { type: 'object' },
      execute: () => void (now += 1_000),
    });
    const store = createMemoryStore();
    const client = createScriptedClient([reply.call('work'), reply.usage(10, 5)]);
    const agent = createAgent({
      client,
      store,
      tools: [tool],
      ports: { now: () => now },
      maxSteps: limit === 'steps' ? 3 : 100,
      ...(limit === 'tokens' && { budget: { tokens: 40 } }),
      ...(limit === 'time' && { budget: { time: 2_500 } }),
      ...(limit === 'stopWhen' && { stopWhen: ({ run }) => (run?.steps ?? 0) >= 4 }),
    });
    const session = await agent.openSession(agent.createSession());
    await session.send('Work.');
    await session.resume();
    await session.flushed();
    const log = await logOf(store, session.id);
    expect(log.filter((event) => event.type === 'run.ended').map((event) => event.limit)).toEqual([limit, limit]);
    await replay(log);
  });

  test('a question and its answer, a fork of the session, and its import', async () => {
    const ask = defineTool({
      name: 'ask',
      description: 'Asks.',
      input: { type: 'object' },
      answer: { type: 'string' },
      execute: (_input, { answer }) => `answered ${JSON.stringify(answer)}`,
    });
    const store = createMemoryStore();
    const client = createScriptedClient([[reply.call('ask')], [reply.text('Thank you.')], [reply.text('More.')]]);
    const agent = createAgent({ client, store, tools: [ask] });
    const session = await agent.openSession(agent.createSession());
    const asked = new Promise<string>((resolve) => {
      session.events$.subscribe((event) => event.type === 'approval.requested' && resolve(event.callId));
    });
    const result = session.send('Ask me.');
    await session.answer(await asked, 'blue');
    await result;
    await session.flushed();
    await replay(await logOf(store, session.id));

    const forkId = await agent.forkSession(session.id);
    const fork = await agent.openSession(forkId);
    await fork.send('And now?');
    await fork.flushed();
    await replay(await logOf(store, forkId));

    const other = createMemoryStore();
    const stored = await store.read(session.id);
    if (stored === undefined) return expect.unreachable();
    await importSessions(other, exportSession(stored));
    await replay(await logOf(other, session.id));
  });

  test('approvals with a deadline, by a clock that goes on with each reading', async () => {
    let now = 1_000;
    const gated = defineTool({
      name: 'gated',
      description: 'Asks first.',
      input: { type: 'object' },
      needsApproval: true,
      approvalTimeout: 60_000,
      execute: () => 'ran',
    });
    const store = createMemoryStore();
    const client = createScriptedClient([[reply.call('gated')], [reply.text('It ran.')]]);
    const agent = createAgent({ client, store, tools: [gated], ports: { now: () => (now += 7) } });
    const session = await agent.openSession(agent.createSession());
    const asked = new Promise<string>((resolve) => {
      session.events$.subscribe((event) => event.type === 'approval.requested' && resolve(event.callId));
    });
    const result = session.send('Run it.');
    await session.approve(await asked);
    await result;
    await session.flushed();
    const log = await logOf(store, session.id);
    await replay(log);
    await replay(log, { tools: [gated] });
    await replay(log, { tools: [gated], toolResults: 'recorded' });
  });

  test('another answer to the same message, and an edited message', async () => {
    const store = createMemoryStore();
    const client = createScriptedClient([[reply.text('One.')], [reply.text('Two.')], [reply.text('Three.')]]);
    const agent = createAgent({ client, store });
    const session = await agent.openSession(agent.createSession());
    await session.send('Count.');
    await session.regenerate();
    await session.edit(session.getMessages()[0]?.id ?? '', 'Count on.');
    await session.flushed();
    const log = await logOf(store, session.id);
    const { state } = await replay(log);
    expect(state.messages).toEqual(session.getMessages());
  });

  test('edited, removed and cleared messages, metadata, and options of a run that cannot be stored', async () => {
    const client: LLMClient = createScriptedClient([reply.text('Yes.')]);
    const store = createMemoryStore();
    const agent = createAgent({ client, store });
    const session = await agent.openSession(agent.createSession({ metadata: { topic: 'colours' } }));
    const id = session.addMessage({ role: 'user', content: 'Blue?' });
    session.updateMessage(id, (message) => ({ ...message, content: [{ type: 'text', text: 'Red?' }] }));
    await session.send('Well?', { client, model: 'other', scratch: 'It is Tuesday.' });
    session.removeMessage(session.getMessages().at(-1)?.id ?? '');
    await session.send('Again?');
    session.clear();
    await session.send('Who are you?');
    await session.flushed();
    const log = await logOf(store, session.id);
    const { state } = await replay(log);
    expect(state.messages).toEqual(session.getMessages());
  });

  test('a message of another tab that steers the run which answers a queued message, from its first step on', async () => {
    const store = createMemoryStore();
    const agent = createAgent({ client: createScriptedClient([[reply.text('One.')], [reply.text('Two.')]]), store });
    const session = await agent.openSession(agent.createSession());
    session.events$.subscribe((event) => {
      if (event.type === 'run.started' && session.getState().queue.length === 0 && session.getMessages().length > 2)
        void session.send('Steer.', { whenBusy: 'steer' });
    });
    const first = session.send('First.');
    await session.send('Queued.', { whenBusy: 'queue' });
    await first;
    await session.flushed();
    const log = await logOf(store, session.id);
    // The other tab stored its message before the end of the first run, whose tab learned of the message after that end.
    const steering = log.findIndex((event) => event.type === 'message.queued' && event.mode === 'steer');
    const firstEnd = log.findIndex(({ type }) => type === 'run.ended');
    expect(firstEnd).toBeLessThan(steering);
    const moved = [...log.slice(0, firstEnd), ...log.slice(steering, steering + 1)];
    const rest = [...log.slice(firstEnd, steering), ...log.slice(steering + 1)];
    const written = [...moved, ...rest].map((event, index) => ({ ...event, seq: index + 1 }));
    const { requests } = await replay(written);
    expect(requests).toHaveLength(2);
    expect(requests[1]?.messages.map(extractTextContent)).toEqual(['First.', 'One.', 'Queued.', 'Steer.']);
  });

  test('a session that ended while the agent worked, as far as it went', async () => {
    const { stored } = await record();
    for (let length = 1; length < stored.events.length; length++) await replay(stored.events.slice(0, length));
  });

  test('a conversation that came from elsewhere, and what followed here', async () => {
    const store = createMemoryStore();
    const { sessionId: id } = await importMessages(store, [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello' },
    ]);
    const agent = createAgent({ client: createScriptedClient([reply.text('Yes.')]), store });
    const session = await agent.openSession(id);
    await session.send('Still there?');
    await session.flushed();
    await replay(await logOf(store, id));
  });
});
