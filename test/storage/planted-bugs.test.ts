import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Mutation, withMutant } from '../support/mutant.ts';

const commit = 'src/storage/indexeddb/commit.ts';
const writes = 'src/core/model/sync-writes.ts';
const reads = 'src/core/model/sync-reads.ts';
const lease = 'src/core/model/sync-lease.ts';
const replica = 'src/core/log/store-replica.ts';
const tabs = 'src/core/session/tabs.ts';
const loneTab = 'src/core/session/lone-tab.ts';

/** One at a time: what somebody might get wrong, and not see. */
const bugs: Readonly<Record<string, readonly Mutation[]>> = {
  'a write counts as done when its last request has succeeded': [
    {
      file: commit,
      swaps: [
        [
          'fences.add(sessionId, [sessionId, summary.seq]);',
          "fences.add(sessionId, [sessionId, summary.seq]).addEventListener('success', () => done());",
        ],
        ['async function put()', 'let done = (): void => {};\n  async function put()'],
        [
          'return Promise.all([transactionDone(transaction), putting]).then(() => lost.flatMap(({ result }) => result));',
          `const last = putting.then(() => new Promise<void>((resolve) => (done = resolve)));
  return Promise.race([transactionDone(transaction), last]).then(() => []);`,
        ],
      ],
    },
  ],
  'nobody looks what a write builds on': [
    {
      file: commit,
      swaps: [
        ['if (look.result === undefined) throw conflict();', ''],
        [
          'fences.delete([sessionId, expectedSeq]);',
          'fences.delete(IDBKeyRange.bound([sessionId, 0], [sessionId, []]));',
        ],
        ['log.add(value,', 'log.put(value,'],
      ],
    },
  ],
  'the pieces of a part are removed in a transaction of their own': [
    {
      file: commit,
      swaps: [
        [
          "  const transaction = db.transaction(['fences'",
          `  if (replaces.length > 0) {
    const first = db.transaction(['sessions', 'events'], 'readwrite');
    for (const [from, to] of replaces) first.objectStore('events').delete(IDBKeyRange.bound([sessionId, from], [sessionId, to]));
  }
  const transaction = db.transaction(['fences'`,
        ],
      ],
    },
  ],
  'a removed session leaves no mark': [
    {
      file: 'src/storage/indexeddb/removal.ts',
      swaps: [['fences.add(sessionId, [sessionId, 0]),', '']],
    },
  ],
  'nobody looks what more of a text builds on': [
    {
      file: commit,
      swaps: [
        ['    fences.delete([sessionId, expectedSeq]);\n    fences.add(sessionId, [sessionId, summary.seq]);\n', ''],
        [
          "if (phase !== 'streaming' || expectedSeq === 0) {",
          "if (phase !== 'streaming' || expectedSeq === 0) {\n      fences.delete(keysOf(sessionId));\n      fences.add(sessionId, [sessionId, summary.seq]);",
        ],
      ],
    },
  ],
  'of events in one row those are told again that are known': [
    { file: 'src/storage/indexeddb/rows.ts', swaps: [['.filter(({ seq }) => seq > after)', '']] },
  ],
  'what another tab says beside a run goes when the run comes to lie in one row': [
    { file: reads, swaps: [['runEvents: [...state.runEvents, ...concurrent],', '']] },
  ],
  'nothing is written when the page goes': [
    { file: replica, swaps: [['ports.onHide(flushNow)', 'ports.onHide(() => {})']] },
    { file: loneTab, swaps: [["runs.current()?.end('interrupted');", '{}']] },
    { file: tabs, swaps: [['ports.onHide(() => replica.flushNow())', 'ports.onHide(() => {})']] },
  ],
  'what a failed write held is forgotten': [
    { file: writes, swaps: [['...state.refused.flatMap(({ batch }) => batch.events), ', '']] },
  ],
  'after a failed write the next one builds on it': [
    { file: writes, swaps: [['sent: first.batch.expectedSeq, ', '']] },
  ],
  'that a tool begins is written like anything else': [
    { file: writes, swaps: [["isClaim ? 'strict' : durability", 'durability']] },
  ],
  'a tool runs before it is written down': [
    { file: 'src/core/tools/execute.ts', swaps: [["await env.flush('strict');", '']] },
  ],
  'a tab that finds a session taken does not wait': [
    {
      file: 'src/storage/lock.ts',
      swaps: [['if (signal?.aborted) throw', 'if (signal?.aborted || turns.has(sessionId)) throw']],
    },
  ],
  'a tab closes what another one left open without asking whether it lives': [
    { file: lease, swaps: [['own({ ...state, watch })', 'look({ ...state, watch: { ...watch, isLooking: true } })']] },
  ],
  'a run that goes on after a decision holds no lock': [
    { file: 'src/core/session/decisions.ts', swaps: [['runs.requestLease();', '']] },
  ],
  'what a person said in the tab that was too late is dropped': [
    { file: tabs, swaps: [['() => appendAgain(later)', '() => {}']] },
    { file: tabs, swaps: [['...prompts.map(runs.resend)', '']] },
  ],
  'a message that was stored after all is said again': [
    { file: tabs, swaps: [['if (!isThere) append(body);', 'append(body);']] },
  ],
  'pieces are taken in beside the event that was made of them': [
    {
      file: reads,
      swaps: [['if (isRemade || seq < stored)', 'if (seq < stored)']],
    },
  ],
  'what another tab says beside a run ends it': [
    {
      file: reads,
      swaps: [
        ['newEvents.every(isConcurrent)', 'false'],
        ['events.every(isConcurrent)', 'false'],
      ],
    },
  ],
  'what is unwritten keeps its number when another tab has written': [
    { file: reads, swaps: [['shifted(event, shift)', 'event']] },
  ],
  'a tab that comes late goes on with a run as if it were its own': [
    { file: 'src/core/model/recover.ts', swaps: [["run && statusOf(state) === 'running' ?", 'run && false ?']] },
  ],
};

const seeds = 50;

type Properties = Readonly<Record<string, fc.IAsyncProperty<unknown>>>;

function areProperties(value: unknown): value is Properties {
  return typeof value === 'object' && value !== null && Object.values(value).every((one) => 'run' in one);
}

/** Hands over the properties of a package that has these mistakes. */
function withProperties(mutations: readonly Mutation[], use: (properties: Properties) => Promise<void>): Promise<void> {
  return withMutant('/test/storage/properties/index.ts', mutations, async ({ properties }) => {
    if (!areProperties(properties)) throw new Error('What was loaded are no properties.');
    await use(properties);
  });
}

describe.each(Object.entries(bugs))('a planted bug: %s', (_name, mutations) => {
  test(`is caught within ${seeds} seeds`, { timeout: 120_000 }, async () => {
    const caught: string[] = [];
    await withProperties(mutations, async (properties) => {
      for (const [name, property] of Object.entries(properties)) {
        const { failed, numRuns } = await fc.check<unknown>(property, { seed: 1, numRuns: seeds, endOnFailure: true });
        if (failed) caught.push(`"${name}" fails with the ${numRuns}. seed`);
      }
    });
    expect(caught).not.toEqual([]);
  });
});

test('what is planted nowhere is not caught', { timeout: 120_000 }, async () => {
  await withProperties([], async (properties) => {
    for (const property of Object.values(properties)) {
      await expect(fc.assert<unknown>(property, { seed: 1, numRuns: seeds })).resolves.toBeUndefined();
    }
  });
});
