import { createAgent } from 'brooklet';
import { createMemoryStore, importSessions, readExport } from 'brooklet/storage';
import { createScriptedClient } from 'brooklet/testing';
import {
  createReview,
  createFileOpener,
  createStoreOpener,
  type LoggedSession,
  type OpenSession,
  type ReviewedSession,
  usageBelow,
  type UsageBelow,
} from 'brooklet/review';
import { firstValueFrom, lastValueFrom, NEVER, toArray } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { untyped } from '../support/untyped.ts';
import { exportText, fileOf, linkedLog, recordTree } from './recorded-tree.ts';

const reviewOf = async (open: OpenSession, id: string): Promise<ReviewedSession> => firstValueFrom(open(id));
const below = (sessions: readonly LoggedSession[], open = createFileOpener(sessions)): Promise<UsageBelow> =>
  lastValueFrom(usageBelow(createReview(sessions[0]?.events ?? []), open));

describe('the sessions of a tree', () => {
  test('are named by the calls of a review, and open from a store and from a file, at any depth', async () => {
    const { store, sessions } = await recordTree(8);
    expect(sessions).toHaveLength(9);
    const file = await readExport(await exportText(store, { sessionIds: [sessions[0]?.summary.id ?? ''] }));
    for (const open of [createStoreOpener(store), createFileOpener(file.sessions)]) {
      let id = sessions[0]?.summary.id;
      for (const { events, summary } of sessions) {
        expect(id).toBe(summary.id);
        const { review } = await reviewOf(open, summary.id);
        expect(review.events).toEqual(events);
        id = review.calls[0]?.session;
      }
      expect(id).toBeUndefined();
    }
  });

  test('of a store are followed, with their notes, and nothing is read before', async () => {
    const { store, sessions } = await recordTree(1);
    const [, child] = sessions;
    const id = child?.summary.id ?? '';
    const note = { id: 'n', seq: 1, text: 'Why?', at: 1 };
    await store.meta?.update(`annotations:${id}`, () => [note]);
    let reads = 0;
    const open = createStoreOpener({
      ...store,
      read: (...args) => {
        reads++;
        return store.read(...args);
      },
    });
    const opened$ = open(id);
    expect(reads).toBe(0);
    const seen: ReviewedSession[] = [];
    const subscription = opened$.subscribe((opened) => seen.push(opened));
    await expect.poll(() => seen.at(-1)?.annotations).toEqual([note]);
    expect(seen.at(-1)?.isLive).toBe(false);
    const last = child?.events.at(-1);
    await store.write({
      sessionId: id,
      expectedSeq: last?.seq ?? 0,
      writeId: 'w',
      events: [{ type: 'run.started', runId: 'again', seq: (last?.seq ?? 0) + 1, at: 9, v: last?.v ?? 2 }],
      summary: { ...(child?.summary ?? untyped(undefined)), seq: (last?.seq ?? 0) + 1 },
      durability: 'relaxed',
      phase: 'streaming',
    });
    await expect.poll(() => seen.at(-1)?.isLive).toBe(true);
    subscription.unsubscribe();
  });

  test('of a store are followed where their notes cannot be read', async () => {
    const { store, sessions } = await recordTree(1);
    const root = sessions[0]?.summary.id ?? '';
    const meta = { ...store.meta, get: () => Promise.reject(new Error('The disk is gone.')) };
    const seen: ReviewedSession[] = [];
    const states: unknown[] = [];
    const subscription = createStoreOpener({ ...store, meta: untyped(meta) })(root).subscribe({
      next: (opened) => seen.push(opened),
      error: (thrown) => states.push(thrown),
      complete: () => states.push('complete'),
    });
    await expect.poll(() => seen).toHaveLength(1);
    expect(seen[0]?.review.events).toEqual(sessions[0]?.events);
    expect(seen[0]).not.toHaveProperty('annotations');
    expect(states).toEqual([]);
    subscription.unsubscribe();
  });

  test('that are not there are refused with SESSION_NOT_FOUND', async () => {
    for (const open of [createStoreOpener(createMemoryStore()), createFileOpener([])])
      await expect(reviewOf(open, 'gone')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
  });

  test.each([[undefined], ['sessions'], [{}], [7]])('cannot be opened from %j', (source) => {
    for (const create of [createStoreOpener, createFileOpener])
      expect(() => create(untyped(source))).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }));
  });

  test('stay linked in a copy of the file in another store', async () => {
    const { store, sessions } = await recordTree(2);
    const text = await exportText(store);
    let count = 0;
    await importSessions(store, text, { onConflict: 'copy', newId: () => `copy ${count++}` });
    const open = createStoreOpener(store);
    const copy = (await store.list({})).sessions.find(({ id }) => id !== sessions[0]?.summary.id);
    const total = await lastValueFrom(usageBelow((await reviewOf(open, copy?.id ?? '')).review, open));
    expect(total).toMatchObject({ sessions: 2, missing: 0 });
  });
});

describe('what all sessions below have used', () => {
  test('is the sum over every depth, with the cost of what has a price', async () => {
    const { store, sessions } = await recordTree(8);
    const root = createReview(sessions[0]?.events ?? []);
    const open = createStoreOpener(store);
    const cost = ({ input, output }: { readonly input: number; readonly output: number }): number => input + 2 * output;
    // Seven sessions with two answers, and the last one with one.
    expect(await lastValueFrom(usageBelow(root, open, { cost }))).toEqual({
      sessions: 8,
      missing: 0,
      usage: { input: 150, output: 75 },
      cost: 300,
      isComplete: true,
    });
    expect(await lastValueFrom(usageBelow(root, open))).not.toHaveProperty('cost');
  });

  test.each([
    ['a circle', { a: ['b'], b: ['c'], c: ['a', 'b'] }, 2],
    ['a session that names itself', { a: ['a'] }, 0],
    ['a child with the id of its parent', { a: ['b'], b: ['b'] }, 1],
    ['a session that two calls name', { a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }, 3],
  ])('counts each session once in a file with %s', async (_name, links, sessions) => {
    expect(await below(fileOf(links))).toMatchObject({
      sessions,
      missing: 0,
      usage: { input: 10 * sessions, output: 5 * sessions },
      isComplete: true,
    });
  });

  test('counts what is not there, and what fails to open', async () => {
    const sessions = fileOf({ a: ['gone', 'b', 'broken'], b: [] });
    const open = createFileOpener(sessions);
    const breaking: OpenSession = (id) => {
      if (id === 'broken') throw new Error('no');
      return open(id);
    };
    expect(await below(sessions, breaking)).toMatchObject({ sessions: 1, missing: 2, isComplete: true });
    expect(
      await below(
        sessions,
        untyped(() => undefined),
      ),
    ).toMatchObject({ sessions: 0, missing: 3 });
  });

  test('of 1,000 sessions is read in steps, one session at a time, and ends when nobody listens', async () => {
    const ids = Array.from({ length: 1_000 }, (_, index) => `s${index}`);
    const sessions = [...fileOf({ root: ids }), ...ids.map((id) => ({ id, events: linkedLog({ id, children: [] }) }))];
    const root = createReview(sessions[0]?.events ?? []);
    const opener = createFileOpener(sessions);
    let opened = 0;
    const open: OpenSession = (id) => {
      opened++;
      return opener(id);
    };
    const ports = { delay: (callback: () => void) => (queueMicrotask(callback), () => {}) };
    const steps = await firstValueFrom(usageBelow(root, open, { ports }).pipe(toArray()));
    expect(steps).toHaveLength(101);
    expect(steps[0]).toMatchObject({ sessions: 10, isComplete: false });
    expect(steps.at(-1)).toMatchObject({ sessions: 1_000, isComplete: true, usage: { input: 10_000, output: 5_000 } });

    opened = 0;
    await firstValueFrom(usageBelow(root, open));
    await new Promise((resolve) => void setTimeout(resolve, 0));
    expect(opened).toBe(10);
  });

  test('is nothing for a session without calls of agents, and waits for a session that is never read', async () => {
    expect(await below(fileOf({ a: [] }))).toEqual({
      sessions: 0,
      missing: 0,
      usage: { input: 0, output: 0 },
      isComplete: true,
    });
    const seen: UsageBelow[] = [];
    const root = createReview(linkedLog({ id: 'a', children: ['b'] }));
    usageBelow(root, () => NEVER)
      .subscribe((one) => seen.push(one))
      .unsubscribe();
    expect(seen).toEqual([]);
    expect(() => usageBelow(root, () => NEVER, untyped({ costs: 1 }))).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIG' }),
    );
  });
});

describe('a session whose parent is gone', () => {
  test.each(['removed by a person', 'not stored'])('opens as one of the agent where its parent is %s', async (how) => {
    const { store, sessions } = await recordTree(1);
    const [root, child] = sessions.map(({ summary }) => summary.id);
    const text = await exportText(store, { sessionIds: [child ?? ''] });
    const other = createMemoryStore();
    if (how === 'removed by a person') {
      await other.write({
        sessionId: root ?? '',
        expectedSeq: 0,
        writeId: 'w',
        events: [...(sessions[0]?.events ?? [])],
        summary: sessions[0]?.summary ?? untyped(undefined),
        durability: 'relaxed',
        phase: 'settled',
      });
      await other.remove(root ?? '');
    }
    await importSessions(other, text);
    const agent = createAgent({ client: createScriptedClient([]), store: other });
    const session = await agent.openSession(child ?? '');
    expect(session.getState().path?.[0]?.sessionId).toBe(root);
    expect(session.getMessages()).toHaveLength(2);
  });
});
