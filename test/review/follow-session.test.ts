import { createAgent } from 'brooklet';
import { followSession, type Review } from 'brooklet/review';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { describe, expect, test } from 'vitest';
import { createGate } from '../support/gate.ts';
import { until } from '../support/until.ts';

async function agentWithSession() {
  const store = createMemoryStore();
  const agent = createAgent({ client: createScriptedClient(() => [reply.text('Yes.')]), store });
  const session = await agent.openSession(agent.createSession());
  await session.send('1?');
  await session.flushed();
  return { store, session };
}

describe('following a session', () => {
  test('emits a review, and one that continues it after each change', async () => {
    const { store, session } = await agentWithSession();
    const reviews: Review[] = [];
    const subscription = followSession(store, session.id).subscribe((review) => reviews.push(review));
    await until(() => expect(reviews).toHaveLength(1));
    expect(reviews[0]?.steps).toHaveLength(1);
    reviews[0]?.goTo({ step: 0 });
    const { seq } = reviews[0]?.getView() ?? {};
    await session.send('2?');
    await session.flushed();
    await until(() => expect(reviews.at(-1)?.runs.map(({ outcome }) => outcome)).toEqual(['completed', 'completed']));
    expect(reviews.at(-1)?.getView().seq).toBe(seq);
    reviews.at(-1)?.goTo({ seq: Infinity });
    await session.send('3?');
    await session.flushed();
    await until(() => expect(reviews.at(-1)?.runs[2]?.outcome).toBe('completed'));
    const last = reviews.at(-1);
    expect(last?.getView().count).toBe(last?.events.length);
    last?.play();
    subscription.unsubscribe();
    expect(last?.getView().isPlaying).toBe(false);
  });

  test('never writes, and reads once for many changes during a read', async () => {
    const { store, session } = await agentWithSession();
    let reads = 0;
    const gate = createGate();
    const { changes$ } = store;
    const reading = {
      changes$,
      async read(id: string) {
        reads++;
        await gate.opened;
        return store.read(id);
      },
    };
    const reviews: Review[] = [];
    followSession(reading, session.id).subscribe((review) => reviews.push(review));
    await session.send('2?');
    await session.flushed();
    expect(reads).toBe(1);
    gate.open();
    await until(() => expect(reviews).toHaveLength(2));
    expect(reads).toBe(2);
  });

  test('errors for a session that the store does not have', async () => {
    const errors: unknown[] = [];
    followSession(createMemoryStore(), 'none').subscribe({ error: (error: unknown) => errors.push(error) });
    await until(() => expect(errors).toMatchObject([{ code: 'SESSION_NOT_FOUND' }]));
  });
});
