import { exportHTML, type HTMLOptions, type HTMLSource } from 'brooklet/review/html';
import { createFileOpener, createReview, usageBelow } from 'brooklet/review';
import { createMemoryStore, exportSession, importSessions, readExport } from 'brooklet/storage';
import { lastValueFrom } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { untyped } from '../support/untyped.ts';
import { exportText, linkedLog, recordTree } from './recorded-tree.ts';

/** Returns the sessions of an exported page, as its viewer reads them. */
async function sessionsOf(source: HTMLSource, options?: HTMLOptions) {
  const text = await (await exportHTML(source, options)).text();
  const log = text.split('<script type="application/json" id="log">\n')[1]?.split('</script', 1)[0] ?? '';
  const { sessions, problem } = await readExport(log);
  expect(problem).toBeUndefined();
  return sessions;
}

const idsOf = async (source: HTMLSource): Promise<readonly string[]> => (await sessionsOf(source)).map(({ id }) => id);

/** A file of logs that are made by hand. */
const fileOf = (links: readonly (readonly [id: string, above: string | undefined, children: readonly string[]])[]) => ({
  sessions: links.map(([id, above, children]) => ({
    id,
    events: linkedLog({ id, children, ...(above !== undefined && { above }) }),
  })),
});

describe('the page of a tree of sessions', () => {
  test('has all sessions below, the root first, with the notes of each', async () => {
    const { store, sessions } = await recordTree(8);
    const ids = sessions.map(({ summary }) => summary.id);
    const note = { id: 'n', seq: 1, text: 'Why?', at: 1 };
    await store.meta?.update(`annotations:${ids[3]}`, () => [note]);
    const read = await sessionsOf({ store, sessionId: ids[0] ?? '' });
    expect(read.map(({ id, events }) => ({ id, events }))).toEqual(
      sessions.map(({ summary, events }) => ({ id: summary.id, events })),
    );
    expect(read[3]?.annotations).toEqual([note]);
    // From the middle: what is below, not what is above.
    expect(await idsOf({ store, sessionId: ids[6] ?? '' })).toEqual(ids.slice(6));
  });

  test('is the same from a file as from the store', async () => {
    const { store, sessions } = await recordTree(3);
    const file = await readExport(await exportText(store));
    const root = sessions[0]?.summary.id ?? '';
    const ordered = [...file.sessions].sort((one, other) => Number(other.id === root) - Number(one.id === root));
    expect(await sessionsOf({ sessions: ordered })).toEqual(await sessionsOf({ store, sessionId: root }));
  });

  test('is without what its mask leaves out of any session, and keeps the links', async () => {
    const { store, sessions } = await recordTree(3);
    // Every id has a digit: the ids themselves are masked.
    const mask = { patterns: [/\d+/, /Answer/] };
    const sessionId = sessions[0]?.summary.id ?? '';
    const masked = await sessionsOf({ store, sessionId }, { mask });
    expect(masked).toHaveLength(4);
    expect(JSON.stringify(masked.map(({ events }) => events))).not.toMatch(/Answer|Task \d|[0-9a-f]{8}-[0-9a-f]{4}/);
    expect(masked.every((one) => one.masked?.patterns === 2)).toBe(true);
    const open = createFileOpener(masked);
    expect(await lastValueFrom(usageBelow(createReview(masked[0]?.events ?? []), open))).toMatchObject({
      sessions: 3,
      missing: 0,
    });
    // The file of all sessions stays one that can be imported.
    expect(await importSessions(createMemoryStore(), await exportText(store, { mask }))).toMatchObject({
      sessions: 4,
      problems: [],
    });
  });

  test('keeps what an earlier mask has left out', async () => {
    const { sessions } = await recordTree(1);
    const lines = sessions.map((stored) => exportSession(stored, { mask: { toolOutputs: true } })).join('');
    const file = await readExport(lines);
    expect((await sessionsOf({ sessions: file.sessions })).map(({ masked }) => masked?.toolOutputs)).toEqual([
      true,
      true,
    ]);
  });

  test.each<readonly [name: string, file: ReturnType<typeof fileOf>, ids: readonly string[]]>([
    [
      'a circle',
      fileOf([
        ['a', 'c', ['b']],
        ['b', 'a', ['c']],
        ['c', 'b', ['a']],
      ]),
      ['a', 'b', 'c'],
    ],
    ['a child with the id of its parent', fileOf([['a', 'a', ['a']]]), ['a']],
    [
      'a child that is not there',
      fileOf([
        ['a', undefined, ['gone', 'b']],
        ['b', 'a', []],
      ]),
      ['a', 'b'],
    ],
    [
      'a call that names a session of another tree',
      fileOf([
        ['a', undefined, ['b']],
        ['b', 'z', []],
      ]),
      ['a'],
    ],
    [
      'a call that names a session that no call has started',
      fileOf([
        ['a', undefined, ['b']],
        ['b', undefined, []],
      ]),
      ['a'],
    ],
    [
      'a call that names the child of another session before it',
      fileOf([
        ['a', undefined, ['x', 'b']],
        ['b', 'a', ['x']],
        ['x', 'b', []],
      ]),
      ['a', 'b', 'x'],
    ],
  ])('has each session below once in a file with %s', async (_name, file, ids) => {
    expect(await idsOf(file)).toEqual(ids);
  });

  test('never has a session of the store that a log from elsewhere only names', async () => {
    const store = createMemoryStore();
    const secret = { id: 'private', events: linkedLog({ id: 'private', children: [] }) };
    const forged = { id: 'forged', events: linkedLog({ id: 'forged', children: ['private'] }) };
    for (const { id, events } of [secret, forged]) {
      const state = createReview(events).stateAt(Infinity);
      const { title, createdAt, updatedAt, usage, seq } = state;
      const summary = { id, title, createdAt, updatedAt, usage, seq, status: 'idle' as const, messageCount: 1 };
      await importSessions(store, exportSession({ summary, events }));
    }
    expect(await idsOf({ store, sessionId: 'forged' })).toEqual(['forged']);
    const file = await readExport(await exportText(store, { sessionIds: ['forged'] }));
    expect(file.sessions.map(({ id }) => id)).toEqual(['forged']);
  });

  test('has the sessions that can be read', async () => {
    const { store, sessions } = await recordTree(2);
    const [root, child] = sessions.map(({ summary }) => summary.id);
    const read: typeof store.read = async (id, options) => {
      if (id === child) throw new Error('The disk is gone.');
      return store.read(id, options);
    };
    expect(await idsOf({ store: { ...store, read }, sessionId: root ?? '' })).toEqual([root]);
  });

  test('has 1,000 sessions, and none that its reader would refuse as too much', async () => {
    const ids = Array.from({ length: 1_000 }, (_, index) => `s${index}`);
    const file = fileOf([['root', undefined, ids], ...ids.map((id) => [id, 'root', []] as const)]);
    expect(await idsOf(file)).toHaveLength(1_001);
    // One session of 100 MB after the other: the third does not fit.
    const big = (id: string) => {
      const events = linkedLog({ id, above: 'a', children: [] });
      const text = 'x'.repeat(5_000_000);
      const [started, added, ...rest] = events;
      const many = Array.from({ length: 20 }, () => ({ type: 'event.dropped' as const, of: text }));
      const all = [started, added, ...many, ...rest].flatMap((event) => event ?? []);
      return { id, events: untyped(all.map((event, index) => ({ ...event, seq: index + 1, at: 1, v: 2 }))) };
    };
    const root = { id: 'a', events: linkedLog({ id: 'a', children: ['b', 'c', 'd'] }) };
    const page = await exportHTML({ sessions: [root, big('b'), big('c'), big('d')] });
    expect(page.size).toBeGreaterThan(200_000_000);
    expect(page.size).toBeLessThan(256_500_000);
  });

  test('of a file without a session is refused', async () => {
    await expect(exportHTML({ sessions: [] })).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
  });
});
