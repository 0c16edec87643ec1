import { createAgent, type SessionEvent, type SessionSummary, type SessionStore } from 'brooklet';
import { eventVersion, type StoredSession } from 'brooklet/core';
import { createMemoryStore, exportSession } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { describe, expect, test } from 'vitest';
import { settled } from '../support/manual-client.ts';
import { userMessage } from '../support/events.ts';

const summary: SessionSummary = {
  id: 's',
  title: 'Otters',
  createdAt: 1,
  updatedAt: 2,
  status: 'idle',
  messageCount: 1,
  usage: { input: 0, output: 0 },
  seq: 9,
};

/** Builds an event from stored data of any shape. */
function row(body: object, seq: number): SessionEvent {
  const event: SessionEvent = JSON.parse(JSON.stringify({ seq, at: seq, v: eventVersion, ...body }));
  return event;
}

const started = row({ type: 'session.started', sessionId: 's' }, 1);
const first = row({ type: 'message.added', message: userMessage('m1', 'first') }, 2);
const last = row({ type: 'message.added', message: userMessage('m2', 'last') }, 8);

function stage(events: readonly SessionEvent[], more: Partial<StoredSession> = {}) {
  const memory = createMemoryStore();
  const written: string[] = [];
  const stored: StoredSession = { summary, events, ...more };
  const store: SessionStore = {
    ...memory,
    read: (id, options) => (id === 's' ? Promise.resolve(stored) : memory.read(id, options)),
    write: (write) => {
      written.push(write.sessionId);
      return memory.write(write);
    },
    remove: async (id) => id === 's',
  };
  return { agent: createAgent({ client: createScriptedClient([reply.text('Hi')]), store }), written, stored };
}

const noEvents: readonly SessionEvent[] = JSON.parse('[null, 7, "text"]');

const broken = [
  ['values that are no events', [started, first, ...noEvents, last], {}, 'STORAGE_CORRUPT'],
  ['a row that is missing', [started, first, last], { damage: '1 of its events' }, 'STORAGE_CORRUPT'],
  [
    'a message that is none',
    [started, first, row({ type: 'message.added', message: 7 }, 3), last],
    {},
    'STORAGE_CORRUPT',
  ],
  [
    'a message without content',
    [started, first, row({ type: 'message.added', message: { id: 'x' } }, 3), last],
    {},
    'STORAGE_CORRUPT',
  ],
  [
    'an event of a version to come',
    [started, first, row({ type: 'text.delta', text: 'x', v: 3 }, 3), last],
    {},
    'SESSION_READ_ONLY',
  ],
  ['an event of a version that never was', [started, first, row({ type: 'x', v: 0 }, 3), last], {}, 'STORAGE_CORRUPT'],
] as const;

describe.each(broken)('a session with %s', (_what, events, more, code) => {
  test('shows the readable part, and states why the session is read-only', async () => {
    const { agent } = stage(events, more);
    const session = await agent.openSession('s');
    expect(session.getMessages().map(({ id }) => id)).toEqual(['m1', 'm2']);
    expect(session.getStorage()).toMatchObject({ state: 'read-only', error: { code } });
  });

  test('rejects every method that would write, and writes nothing', async () => {
    const { agent, written } = stage(events, more);
    const session = await agent.openSession('s');
    const verbs: readonly (() => unknown)[] = [
      () => session.addMessage({ role: 'user', content: 'x' }),
      () => session.updateMessage('m1', (message) => message),
      () => session.clear(),
      () => session.rename('x'),
      () => session.send('x'),
      () => session.resume(),
      () => session.regenerate(),
    ];
    for (const verb of verbs) expect(verb).toThrow(expect.objectContaining({ code: 'SESSION_READ_ONLY' }));
    session.cancel();
    await session.flushed();
    await settled();
    expect(written).toEqual([]);
    expect(session.getMessages()).toHaveLength(2);
  });

  test('can be exported, forked, continued as a fork, and removed', async () => {
    const { agent, stored } = stage(events, more);
    await agent.openSession('s');
    const exported = exportSession((await agent.store?.read('s')) ?? stored).split('\n');
    expect(exported).toHaveLength(events.length + 2);
    const fork = await agent.openSession(await agent.forkSession('s'));
    expect(fork.getMessages().map(({ id }) => id)).toEqual(['m1', 'm2']);
    expect((await fork.send('Go on')).outcome).toBe('completed');
    expect(agent.removeSession('s')).toBe(true);
  });
});

test('a damaged session with an unfinished run shows its run as it is stored: nothing decides or ends it', async () => {
  const { agent, written } = stage(
    [
      started,
      first,
      row({ type: 'run.started', runId: 'r' }, 3),
      row({ type: 'reply.started', messageId: 'a' }, 4),
      row({ type: 'call.requested', callId: 'c', name: 'add', inputText: '{}', input: {} }, 5),
      row({ type: 'reply.ended', finish: 'tool-calls' }, 6),
      row({ type: 'approval.requested', callId: 'c' }, 7),
      row({ type: 'x', v: 7 }, 8),
    ],
    {},
  );
  const session = await agent.openSession('s');
  await expect(session.approve('c')).rejects.toMatchObject({ code: 'SESSION_READ_ONLY' });
  session.cancel();
  await settled();
  expect(session.getStatus()).toBe('waiting');
  expect(written).toEqual([]);
});

test('a session that is not damaged is not read-only', async () => {
  const store = createMemoryStore();
  const events = [started, first, last];
  await store.write({ sessionId: 's', expectedSeq: 0, events, summary: { ...summary, seq: 8 }, durability: 'relaxed' });
  const session = await createAgent({ client: createScriptedClient([]), store }).openSession('s');
  expect(session.getStorage()).toEqual({ state: 'saved' });
  session.rename('x');
  await session.flushed();
  expect((await store.read('s'))?.summary.title).toBe('x');
});
