import { type AgentSession, createAgent } from 'brooklet';
import { createMemoryStore } from 'brooklet/storage';
import { createReview } from 'brooklet/review';
import { createScriptedClient, reply } from 'brooklet/testing';
import { describe, expect, test } from 'vitest';
import { addTurns, allText, isForSummary, words } from '../../support/context-stage.ts';
import { createGate } from '../../support/gate.ts';
import { settled } from '../../support/manual-client.ts';

const small = { contextWindow: 1_000, context: { countTokens: words } } as const;
const store = createMemoryStore();
const client = createScriptedClient((request) =>
  isForSummary(request) ? [reply.text('They talked about boats.')] : [reply.text('Yes.')],
);

async function foldedSession(): Promise<AgentSession> {
  const agent = createAgent({ client, store, ...small });
  const session = agent.getSession(agent.createSession());
  if (session === undefined) throw new Error('no session');
  session.pin('q1');
  addTurns(session, 8, 45);
  await session.send('And now?');
  await session.flushed();
  return session;
}

describe('a compacted history', () => {
  test('stays compacted, pinned, and undone after a reload', async () => {
    const before = await foldedSession();
    const after = await createAgent({ client, store, ...small }).openSession(before.id);
    await settled();
    expect(after.getContext()).toEqual(before.getContext());
    await after.send('And then?');
    const sent = allText(client.requests.at(-1) ?? { sessionId: '', messages: [] });
    expect(sent).toContain('They talked about boats.');
    expect(sent).toContain('question 1 ');
    expect(sent).not.toContain('question 2 ');

    after.restoreContext(after.getContext()?.compactions[0]?.compactionId ?? '');
    await after.flushed();
    const again = await createAgent({ client, store, ...small }).openSession(before.id);
    await settled();
    expect(again.getContext()?.compactions).toEqual([]);
  });

  test('is not sent whole by an agent without a window', async () => {
    const { id } = await foldedSession();
    const plain = await createAgent({ client, store }).openSession(id);
    await plain.send('And then?');
    expect(allText(client.requests.at(-1) ?? { sessionId: '', messages: [] })).not.toContain('question 2 ');
  });

  test('is recorded in the log: a review shows the marker, and every message', async () => {
    const { id } = await foldedSession();
    const stored = await store.read(id);
    const review = createReview(stored?.events ?? []);
    const last = review.stateAt(stored?.events.at(-1)?.seq ?? 0);
    expect(last.context.map(({ type }) => type)).toEqual(['message.pinned', 'context.compacted']);
    expect(last.messages).toHaveLength(18);
  });
});

test('a tab that dies during a compaction leaves the conversation unchanged, and the run can be resumed', async () => {
  const gate = createGate();
  const slow = createScriptedClient((request) =>
    isForSummary(request) ? [reply.until(gate.opened), reply.text('Boats.')] : [reply.text('Yes.')],
  );
  const agent = createAgent({ client: slow, store, ...small });
  const session = agent.getSession(agent.createSession());
  if (session === undefined) throw new Error('no session');
  addTurns(session, 8, 45);
  void session.send('And now?');
  await settled();
  await session.flushed();

  const after = await createAgent({ client, store, ...small }).openSession(session.id);
  expect(after.getStatus()).toBe('interrupted');
  expect(after.getMessages()).toHaveLength(17);
  expect((await after.resume()).outcome).toBe('completed');
  expect(after.getContext()?.compactions).toHaveLength(1);
  gate.open();
});

test('a fork keeps compactions and pins; the cost of a compaction is counted in the fork', async () => {
  const session = await foldedSession();
  const agent = createAgent({ client, store, ...small });
  const forked = await agent.openSession(await agent.forkSession((await agent.openSession(session.id)).id));
  await settled();
  expect(forked.getContext()?.compactions).toMatchObject([{ summary: 'They talked about boats.' }]);
  expect(forked.getContext()?.pinned).toEqual(['q1']);
  expect(forked.getState().usage).toEqual({ input: 0, output: 0 });
});
