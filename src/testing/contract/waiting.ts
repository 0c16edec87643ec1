import type { SessionStore, SessionSummary } from '../../core/model/store.ts';
import type { Behaviour } from './behaviour.ts';
import { same } from './expect.ts';
import { addSession, addSessionWithText, pagesOf, summaryOf, textAt, writeOf } from './sample.ts';

const call = { callId: 'c', name: 'pay', kind: 'approval', requestedAt: 1001, expiresAt: 9000 } as const;
const question = { callId: 'q', name: 'ask_user', kind: 'question', requestedAt: 1002, label: 'Which?' } as const;
const waits: Partial<SessionSummary> = { status: 'waiting', waiting: [call] };

/** Writes ten sessions `s0` to `s9`, of which `s2`, `s5` and `s8` wait. */
async function addTen(store: SessionStore): Promise<void> {
  for (let index = 0; index < 10; index++)
    await addSession(store, `s${index}`, 1, { updatedAt: 1000 + index, ...(index % 3 === 2 && waits) });
}

export const waiting: readonly Behaviour[] = [
  {
    name: 'keeps the waiting calls of a summary, and no longer than the summary has them',
    async check(store) {
      const more = { ...waits, waiting: [call, question] };
      await addSession(store, 'a', 1, more);
      same((await store.read('a'))?.summary, summaryOf('a', 1, more), 'read');
      same((await store.list()).sessions, [summaryOf('a', 1, more)], 'list');
      await store.write(writeOf('a', 1, [textAt(2)]));
      same((await store.read('a'))?.summary, summaryOf('a', 2), 'read later');
      same((await store.list()).sessions, [summaryOf('a', 2)], 'list later');
    },
  },
  {
    name: 'lists the sessions that wait, page by page, the newest change first',
    needs: 'waiting',
    async check(store) {
      await addTen(store);
      same(await pagesOf(store, 2, { waiting: true }), [['s8', 's5'], ['s2']], 'waiting');
      same((await pagesOf(store, 99, { waiting: false })).flat().length, 10, 'all');
      same(
        (await store.list({ waiting: true, limit: 1 })).sessions,
        [summaryOf('s8', 1, { updatedAt: 1008, ...waits })],
        'row',
      );
    },
  },
  {
    name: 'lists a session that waits beside a call that runs, and one of an older version, whose row has the status alone',
    needs: 'waiting',
    async check(store) {
      await addSession(store, 'beside', 1, { status: 'running', waiting: [call] });
      await addSession(store, 'cut', 2, { status: 'interrupted', waiting: [call] });
      await addSession(store, 'older', 3, { status: 'waiting' });
      await addSession(store, 'running', 4, { status: 'running' });
      same((await pagesOf(store, 9, { waiting: true })).flat(), ['older', 'cut', 'beside'], 'waiting');
    },
  },
  {
    name: 'lists a session as waiting from the write on with which it waits, and until the write with which it does not',
    needs: 'waiting',
    async check(store) {
      await addTen(store);
      const write = async (id: string, seq: number, more: Partial<SessionSummary>): Promise<void> =>
        store.write(
          writeOf(id, seq - 1, [textAt(seq)], { summary: summaryOf(id, seq, { updatedAt: 2000 + seq, ...more }) }),
        );
      await write('s5', 2, {});
      await write('s0', 2, waits);
      same((await pagesOf(store, 9, { waiting: true })).flat(), ['s0', 's8', 's2'], 'changed');
      await write('s0', 3, {});
      await store.remove('s8');
      same((await pagesOf(store, 9, { waiting: true })).flat(), ['s2'], 'decided and removed');
    },
  },
  {
    name: 'lists a restored session as waiting again',
    needs: ['waiting', 'restoring'],
    async check(store) {
      await addTen(store);
      await store.remove('s5');
      await store.restore?.('s5');
      same((await pagesOf(store, 9, { waiting: true })).flat(), ['s8', 's5', 's2'], 'restored');
    },
  },
  {
    name: 'filters by metadata among the sessions that wait',
    needs: ['waiting', 'filtering'],
    async check(store) {
      await addSession(store, 'a', 1, { ...waits, metadata: { project: 'x' } });
      await addSession(store, 'b', 2, { ...waits, metadata: { project: 'y' } });
      await addSession(store, 'c', 3, { metadata: { project: 'x' } });
      same((await pagesOf(store, 9, { waiting: true, where: { project: 'x' } })).flat(), ['a'], 'both');
    },
  },
  {
    name: 'searches among the sessions that wait',
    needs: ['waiting', 'searching'],
    async check(store) {
      await addSessionWithText(store, 'a', 'otter', waits);
      await addSessionWithText(store, 'b', 'otter');
      await addSessionWithText(store, 'c', 'lynx', waits);
      same((await pagesOf(store, 9, { waiting: true, search: 'otter' })).flat(), ['a'], 'both');
    },
  },
];
