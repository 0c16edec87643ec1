import { createAgent } from 'brooklet';
import { followSession, type Review } from 'brooklet/review';
import { createMemoryStore, exportSession, importSessions } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { describe, expect, test } from 'vitest';
import { textAt, writeOf } from '../storage/raw.ts';
import { createGate } from '../support/gate.ts';
import { say, settled } from '../support/manual-client.ts';
import { stage } from '../support/stage.ts';
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
      async read(id: string, options?: { readonly after?: number }) {
        reads++;
        await gate.opened;
        return store.read(id, options);
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

  test('reads each event once, and those of a run once more when the run has ended', async () => {
    const store = createMemoryStore();
    const on = stage({ store });
    let read = 0;
    const counting = {
      changes$: store.changes$,
      async read(id: string, options?: { readonly after?: number }) {
        const stored = await store.read(id, options);
        read += stored?.events.length ?? 0;
        return stored;
      },
    };
    const reviews: Review[] = [];
    await on.session.flushed();
    const subscription = followSession(counting, on.session.id).subscribe((review) => reviews.push(review));
    for (let turn = 0; turn < 20; turn++) {
      const sent = on.session.send('Go on.');
      await settled();
      for (let piece = 0; piece < 5; piece++) {
        on.client.last().chunks.next({ type: 'text', text: 'x'.repeat(300) });
        on.ports.pass(1_000);
        await settled();
      }
      say(on.client.last(), '.');
      await sent;
      await on.session.flushed();
      await settled();
    }
    const stored = await store.read(on.session.id);
    expect(reviews.at(-1)?.events).toEqual(stored?.events);
    expect(reviews.length).toBeGreaterThan(100);
    expect(read).toBeLessThan(20 * 25);
    subscription.unsubscribe();
  });

  test('reads a log as a whole that another one has replaced', async () => {
    const { store, session } = await agentWithSession();
    const reviews: Review[] = [];
    followSession(store, session.id).subscribe((review) => reviews.push(review));
    await until(() => expect(reviews).toHaveLength(1));
    const other = await agentWithSession();
    await other.session.send('2?');
    await other.session.flushed();
    const file = exportSession((await other.store.read(other.session.id)) ?? expect.unreachable());
    await importSessions(store, file.replaceAll(other.session.id, session.id), { onConflict: 'replace' });
    await until(() => expect(reviews.at(-1)?.runs).toHaveLength(2));
    expect(reviews.at(-1)?.events).toEqual((await store.read(session.id))?.events);
  });

  test('reads a log as a whole whose last event was joined with a later one', async () => {
    const store = createMemoryStore();
    await store.write(writeOf('s', 0, 1, 2));
    const reviews: Review[] = [];
    followSession(store, 's').subscribe((review) => reviews.push(review));
    await until(() => expect(reviews).toHaveLength(1));
    const joined = { ...textAt(3, 'all'), since: 2 };
    await store.write({ ...writeOf('s', 2, 3), events: [joined], replaces: [[2, 2]] });
    await until(() => expect(reviews.at(-1)?.events).toEqual([textAt(1), joined]));
  });

  test('errors for a session that is removed', async () => {
    const { store, session } = await agentWithSession();
    const errors: unknown[] = [];
    followSession(store, session.id).subscribe({ error: (error: unknown) => errors.push(error) });
    await store.remove(session.id);
    await until(() => expect(errors).toMatchObject([{ code: 'SESSION_NOT_FOUND' }]));
  });

  test('errors for a session that the store does not have', async () => {
    const errors: unknown[] = [];
    followSession(createMemoryStore(), 'none').subscribe({ error: (error: unknown) => errors.push(error) });
    await until(() => expect(errors).toMatchObject([{ code: 'SESSION_NOT_FOUND' }]));
  });
});
