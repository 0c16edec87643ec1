import { type Bugs, swap } from './bug.ts';

const reads = 'src/core/model/sync-reads.ts';
const writes = 'src/core/model/sync-writes.ts';
const lease = 'src/core/model/sync-lease.ts';
const state = 'src/core/model/sync-state.ts';

const writeBugs: Bugs = {
  'the events of a failed write are forgotten': swap(
    writes,
    '...state.refused.flatMap(({ batch }) => batch.events), ',
    '',
  ),
  'after a failed write the next one builds on it': swap(
    writes,
    'sent: seq,\n      sentId: writeId,\n      unsure',
    'unsure',
  ),
  'the start of a call is written like anything else': swap(writes, "isClaim ? 'strict' : durability", "'relaxed'"),
  'a conflict is retried like any failure': swap(
    writes,
    "if (first.error.code === 'STORAGE_CONFLICT') return becomeStale(kept, first.error);",
    '',
  ),
  'a failed write is never tried again': swap(writes, "[{ do: 'wait', ms: retryIn }]", '[]'),
  'the events of a run are kept after its end': swap(
    writes,
    'runEvents: endsRun ? [] : [...state.runEvents, ...before, ...events],',
    'runEvents: [...state.runEvents, ...before, ...events],',
  ),
};

const readBugs: Bugs = {
  'unwritten events keep their numbers when another tab has written': swap(reads, 'shifted(event, shift)', 'event'),
  'what another tab queues ends the run': [
    {
      file: reads,
      swaps: [
        ['newEvents.every(isConcurrent)', 'false'],
        ['events.every(isConcurrent)', 'false'],
      ],
    },
  ],
  'concurrent events are left out of the rewrite': swap(reads, 'runEvents: [...state.runEvents, ...concurrent],', ''),
  'pieces are accepted beside the event that was made of them': swap(
    reads,
    'if (isRemade || seq < stored)',
    'if (seq < stored)',
  ),
  'a read is applied although this tab has written meanwhile': swap(
    reads,
    'if (!isUnchanged && !(isStale && reading.isWhole)) return look(state);',
    '',
  ),
  'a tab that was too late goes on with its run': swap(reads, "[...actions, { do: 'yield' }]", 'actions'),
  'what a person said in a late tab is dropped': swap(reads, "[{ do: 'reappend', events }]", '[]'),
  'a session is saved before its messages are sent again': swap(
    state,
    'if (reappends > 0) return statuses.saving;',
    '',
  ),
};

const leaseBugs: Bugs = {
  'a follower ends a run without the lock': swap(
    lease,
    'own({ ...left, watch: { seq: lastSeq(left), isLooking: false } })',
    'look({ ...left, watch: { seq: lastSeq(left), isLooking: true } })',
  ),
  'a lease is never released': swap(reads, "state.lease === 'none' ? [] : [{ do: 'release' }]", '[]'),
  'a follower that gets the lock does nothing': swap(lease, 'held.watch === undefined ?', 'held ?'),
};

export const syncBugs: Bugs = { ...writeBugs, ...readBugs, ...leaseBugs };
