import { AgentError, type SessionEvent } from 'brooklet';
import { initialState, type StoredSession } from 'brooklet/core';
import { describe, expect, test } from 'vitest';
import { toSummary } from '../../../src/core/model/summary.ts';
import { sync } from '../../../src/core/model/sync.ts';
import {
  firstRetry,
  initialSync,
  type Signal,
  type SyncFacts,
  type SyncState,
  tries,
} from '../../../src/core/model/sync-state.ts';

const at = { at: 0, v: 2 } as const;
const renamed = (seq: number): SessionEvent => ({ ...at, seq, type: 'session.renamed', title: `${seq}` });
const started = (seq: number): SessionEvent => ({ ...at, seq, type: 'run.started', runId: 'theirs' });
const joined = (since: number, seq: number): SessionEvent => ({ ...at, seq, since, type: 'text.delta', text: 'Hello' });

/** What a read finds: a log of the lineage `log`, unless `writeId` says otherwise. */
function log(events: readonly SessionEvent[], { seq = events.at(-1)?.seq ?? 0, writeId = 'log/there.0' } = {}) {
  const found: StoredSession = { summary: { ...toSummary(initialState('s')), seq }, events, writeId };
  return found;
}

const saved: SyncState = {
  ...initialSync({ phase: 'saved', stored: 1, writeId: 'log/0', writer: 'here', canLock: true }),
  isFollowing: true,
};
const dirty: SyncState = { ...saved, phase: 'dirty', unsaved: [renamed(2)] };
const conflict = new AgentError('another', { code: 'STORAGE_CONFLICT' });
const stale: SyncState = { ...dirty, phase: 'stale', problem: { state: 'stale', error: conflict } };
const above = { isWhole: false, after: 1 } as const;
const whole = { isWhole: true, after: 1 } as const;
const error = new AgentError('full', { code: 'QUOTA_EXCEEDED' });

const idle: SyncFacts = { isRunning: false, isDriving: false };
const here: SyncFacts = { isRunning: true, isDriving: true };

const read = (state: SyncState, found: Extract<Signal, { type: 'read' }>['found'], facts = idle) =>
  sync(state, { type: 'read', found }, facts);
const doneBy = ([, actions]: ReturnType<typeof sync>) => actions.map((action) => action.do);

describe('changes that the store reports', () => {
  const saving: SyncState = { ...saved, phase: 'saving', inFlight: 1, sent: 2 };
  const batch = { events: [renamed(2)], expected: { seq: 1 }, seq: 2, writeId: 'log/here.0', endsRun: false };
  const after = (signals: readonly Signal['type'][]) => {
    let state = saving;
    const done: string[] = [];
    for (const type of signals) {
      const signal: Signal | undefined =
        type === 'changed' ? { type } : type === 'saved' ? { type, batch } : type === 'look' ? { type } : undefined;
      if (signal === undefined) throw new Error(type);
      const step = sync(state, signal, idle);
      state = step[0];
      done.push(...doneBy(step));
    }
    return done;
  };

  test('are not read if they are the own writes of this tab', () => {
    expect(after(['changed', 'saved'])).toEqual([]);
  });

  test('are read as soon as every event is stored, if another tab wrote during a write', () => {
    expect(after(['changed', 'changed', 'saved'])).toEqual(['read']);
    expect(after(['look', 'saved'])).toEqual(['read']);
  });

  test('during a read, with an event appended, are read once after the write', () => {
    const [next, actions] = sync({ ...dirty, reading: above, mustReadAgain: true }, { type: 'unreadable' }, idle);
    expect(next).toMatchObject({ reading: undefined, mustReadAgain: false, heard: Infinity });
    expect(actions).toEqual([]);
  });

  test('during the read that finds an erased session wait until it is stored again', () => {
    const [next, actions] = read({ ...stale, reading: whole, mustReadAgain: true }, 'erased');
    expect(next).toMatchObject({ reading: whole, mustReadAgain: true });
    expect(actions).toEqual([{ do: 'restore' }]);
  });
});

describe('the result of a read', () => {
  test('is discarded if this tab appended during the read: the next read follows its write', () => {
    const step = read({ ...dirty, reading: above }, log([renamed(2)]));
    expect(step[0]).toMatchObject({ phase: 'dirty', unsaved: [renamed(2)], reading: undefined, heard: Infinity });
    expect(step[1]).toEqual([]);
    expect(read({ ...dirty, reading: whole }, log([renamed(1), renamed(2)]))[1]).toEqual([]);
  });

  test('is discarded and the read repeated if this tab has stored events during the read', () => {
    const wrote: SyncState = { ...saved, stored: 2, sent: 2 };
    expect(read({ ...wrote, reading: above }, log([renamed(2), renamed(3)]))[1]).toEqual([{ do: 'read', after: 2 }]);
  });

  test('is discarded for that of the whole log if a write was refused during the read', () => {
    expect(read({ ...stale, reading: above }, log([renamed(2)]))[1]).toEqual([{ do: 'read' }]);
  });

  test('that the session is erased does not store it again while events are not yet refused', () => {
    expect(read({ ...dirty, reading: whole }, 'erased')[1]).toEqual([]);
    expect(read({ ...saved, stored: 2, sent: 2, reading: whole }, 'erased')[1]).toEqual([]);
    expect(read({ ...saved, reading: whole }, 'erased')[1]).toEqual([{ do: 'restore' }]);
  });
});

describe('a log whose past was replaced', () => {
  const other = { writeId: 'other/there.0' };

  test('is read as a whole, from whichever place it was read', () => {
    expect(read({ ...saved, reading: above }, log([renamed(2)], other))[1]).toEqual([{ do: 'read' }]);
    const fromBase = { ...whole, base: 1 };
    expect(read({ ...saved, reading: fromBase }, log([renamed(2)], other))[1]).toEqual([{ do: 'read' }]);
  });

  test('replaces the log of this tab, although it begins with as many events', () => {
    const replaced = log([renamed(1), renamed(2)], other);
    const step = read({ ...stale, reading: whole }, replaced);
    expect(doneBy(step)).toEqual(['yield', 'reset', 'reappend']);
    expect(step[0].lineage).toBe('other');
  });

  test('is no other log for a tab that has stored nothing of it: the tab takes its lineage', () => {
    const start = initialSync({ phase: 'saved', stored: 0, writer: 'here', canLock: true });
    const fresh: SyncState = { ...start, isFollowing: true, reading: { isWhole: false, after: 0 } };
    const [next, actions] = read(fresh, log([renamed(1)], other));
    expect(actions).toEqual([{ do: 'accept', events: [renamed(1)] }]);
    expect(next).toMatchObject({ lineage: 'other', sentId: 'other/there.0', stored: 1 });
  });

  test('by a shorter one is read as a whole, not from the kept state', () => {
    const longer: SyncState = { ...saved, stored: 5, sent: 5, reading: { isWhole: false, after: 5 } };
    expect(read(longer, log([], { seq: 3 }), { ...idle, base: 2 })[1]).toEqual([{ do: 'read' }]);
  });

  test('by one that ends before the kept state is read as a whole', () => {
    const fromBase: SyncState = { ...saved, stored: 5, sent: 5, reading: { isWhole: true, after: 5, base: 2 } };
    expect(read(fromBase, log([], { seq: 1 }))[1]).toEqual([{ do: 'read' }]);
    const [next, actions] = read(fromBase, log([], { seq: 2 }));
    expect(actions).toContainEqual({ do: 'reset', events: [], news: [], base: 2 });
    expect(next.stored).toBe(2);
  });
});

describe('events of another tab', () => {
  const ran: SyncState = { ...saved, runEvents: [renamed(1)], unsure: [{ seq: 2, writeId: 'log/here.9' }] };

  test('are accepted with joined deltas, if this tab has none of them', () => {
    const follows: SyncState = { ...saved, stored: 5, sent: 5, reading: { isWhole: false, after: 5 } };
    expect(doneBy(read(follows, log([joined(6, 7)])))).toEqual(['yield', 'accept']);
    expect(read(follows, log([joined(5, 7)]))[1]).toEqual([{ do: 'read' }]);
  });

  test('end the run of this tab if one of them is not concurrent', () => {
    const [next, actions] = read({ ...ran, reading: above }, log([renamed(2), started(3)]), here);
    expect(actions.map((action) => action.do)).toEqual(['yield', 'accept']);
    expect(next).toMatchObject({ phase: 'saved', stored: 3, generation: 1, runEvents: [], unsure: [] });
  });

  test('that are concurrent belong to the run of this tab', () => {
    const [next, actions] = read({ ...ran, reading: above }, log([renamed(2), renamed(3)]), here);
    expect(actions).toEqual([{ do: 'accept', events: [renamed(2), renamed(3)] }]);
    expect(next).toMatchObject({ generation: 0, runEvents: [renamed(1), renamed(2), renamed(3)], unsure: [] });
  });

  test('that are concurrent come before the unsaved events of this tab, which get the next numbers', () => {
    const state: SyncState = { ...stale, runEvents: [renamed(1)], reading: whole };
    const found = log([renamed(1), renamed(2), renamed(3)]);
    const moved = { ...renamed(2), seq: 4 };
    const [next, actions] = read(state, found, here);
    expect(next).toMatchObject({
      phase: 'dirty',
      isUrgent: true,
      unsaved: [moved],
      stored: 3,
      sentId: 'log/there.0',
      runEvents: [renamed(1), renamed(2), renamed(3)],
    });
    expect(actions).toEqual([
      { do: 'end-turn' },
      { do: 'reset', events: [...found.events, moved], news: [renamed(2), renamed(3)] },
      { do: 'advance' },
    ]);
  });

  test('that are concurrent come on top of the kept state, where the read began there', () => {
    const state: SyncState = { ...stale, stored: 3, sent: 3, unsaved: [renamed(4)] };
    const fromBase = { ...state, reading: { isWhole: true, after: 3, base: 2 } };
    const [, actions] = read(fromBase, log([renamed(3), renamed(4)]), here);
    const moved = { ...renamed(4), seq: 5 };
    expect(actions).toContainEqual({
      do: 'reset',
      events: [renamed(3), renamed(4), moved],
      news: [renamed(4)],
      base: 2,
    });
  });

  test.each([
    ['one of them is not concurrent', [renamed(1), renamed(2), started(3)]],
    ['the store has joined some that this tab does not know', [renamed(1), renamed(3)]],
  ])('end the run of a tab whose write was refused, if %s', (_why, events) => {
    const [next, actions] = read({ ...stale, reading: whole }, log(events), here);
    expect(actions).toEqual([
      { do: 'yield' },
      { do: 'reset', events, news: events.slice(1) },
      { do: 'reappend', events: [renamed(2)] },
    ]);
    expect(next).toMatchObject({ phase: 'saved', stored: 3, unsaved: [], reappends: 1, generation: 1, runEvents: [] });
  });
});

describe('a store that refuses the same write again and again', () => {
  const found = log([renamed(1)]);
  const refuse = (state: SyncState, at = found): ReturnType<typeof sync> =>
    read({ ...state, phase: 'stale', unsaved: [renamed(2)], reading: whole }, at);

  test('is asked a few times, and then not before it has changed', () => {
    let state = saved;
    for (let turn = 0; turn < tries; turn++) {
      const step = refuse(state);
      expect(doneBy(step)).toEqual(['yield', 'reset', 'reappend']);
      state = step[0];
    }
    const [next, actions] = refuse(state);
    expect(next).toMatchObject({ phase: 'stale', unsaved: [renamed(2)] });
    expect(actions).toEqual([]);
    expect(doneBy(refuse(next, log([renamed(1), started(2)])))).toEqual(['yield', 'reset', 'reappend']);
  });

  test('is asked as often as before, once a read has found it in step', () => {
    const [often] = refuse(refuse(refuse(saved)[0])[0]);
    expect(often.refusals).toBe(tries);
    const [calm] = read({ ...often, reading: whole }, found);
    expect(calm.refusals).toBe(0);
    expect(doneBy(refuse(calm))).toEqual(['yield', 'reset', 'reappend']);
  });
});

test('an erased session is stored again, and what was appended meanwhile is replayed', () => {
  const state: SyncState = { ...saved, unsaved: [renamed(1), renamed(2), renamed(3)], reading: whole };
  const write = { events: [renamed(1), renamed(2)], writeId: 'new/0', summary: log([], { seq: 2 }).summary };
  const [next, actions] = sync(state, { type: 'restored', write }, idle);
  expect(actions).toEqual([
    { do: 'reset', events: write.events, news: [] },
    { do: 'reappend', events: [renamed(3)] },
  ]);
  expect(next).toMatchObject({ phase: 'saved', stored: 2, sentId: 'new/0', lineage: 'new', unsaved: [], reappends: 1 });
  expect(next.retryIn).toBe(firstRetry);
});

test('a log that fails to be stored keeps its lineage, whatever the store is like', () => {
  const failed: SyncState = { ...dirty, phase: 'failed', problem: { state: 'failed', error } };
  expect(read({ ...failed, reading: above }, log([renamed(2)]))[0].lineage).toBe('log');
});
