import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bugs as simulatedBugs } from '../simulation/bugs/index.ts';
import { type Mutation, withMutant } from '../support/mutant.ts';
import { readWitnesses } from '../support/witnesses.ts';

const commit = 'src/storage/indexeddb/commit.ts';
const disk = 'src/storage/disk.ts';
const writes = 'src/core/model/sync-writes.ts';
const tabs = 'src/core/session/tabs.ts';
const syncing = 'src/core/model/sync.ts';
const reads = 'src/core/model/sync-reads.ts';

/** The bugs of the simulation that the properties of a store have to catch, too. */
const simulated: readonly string[] = [
  'nobody looks what a write builds on',
  'nobody looks what more of a text builds on',
  'of events in one row those are told again that are known',
  'concurrent events are left out of the rewrite',
  'the events of a failed write are forgotten',
  'after a failed write the next one builds on it',
  'a tool runs before its start is stored',
  'a follower ends a run without the lock',
  'pieces are accepted beside the event that was made of them',
  'what another tab queues ends the run',
  'unwritten events keep their numbers when another tab has written',
];

/** One at a time: what somebody might get wrong, and not see. */
const bugs: Readonly<Record<string, readonly Mutation[]>> = {
  ...Object.fromEntries(simulated.map((name) => [name, simulatedBugs[name] ?? expect.unreachable(name)])),
  'a write counts as done when its last request has succeeded': [
    {
      file: disk,
      swaps: [
        [
          'put(transaction);\n        transaction.commit();',
          "put(transaction);\n        await transaction.objectStore('fences').count();\n        return transaction.commit();",
        ],
      ],
    },
  ],
  'a store compares the numbers of writes, and not their ids': [
    {
      file: commit,
      swaps: [
        ['(isKnown && expectedWriteId !== undefined)', 'false'],
        [' || (expectedWriteId ?? fence[2]) !== fence[2]', ''],
      ],
    },
  ],
  'what a tab has written without an answer counts as written by another tab': [
    { file: syncing, swaps: [['foundOwn(state, signal.found) ?? ', '']] },
  ],
  'a log whose past was replaced is taken for the same log': [
    { file: reads, swaps: [['stored === 0 || (lineageOf(writeId) ?? lineage) === lineage', 'true']] },
  ],
  'the pieces of a part are removed in a transaction of their own, before the part is stored': [
    {
      file: commit,
      swaps: [
        [
          '  const { expectedSeq, expectedWriteId, durability, phase } = write;',
          `  for (const [from, to] of write.replaces ?? [])
    void disk.run(['events'], 'readwrite', async (first) =>
      first.objectStore('events').delete(IDBKeyRange.bound([write.sessionId, from], [write.sessionId, to]))).catch(() => {});
  const { expectedSeq, expectedWriteId, durability, phase } = write;`,
        ],
      ],
    },
  ],
  'a removed session leaves no mark': [
    {
      file: 'src/storage/indexeddb/removal.ts',
      swaps: [['fences.put(sessionId, [sessionId, 0]),', '']],
    },
  ],
  'nothing is written when the page goes': [
    {
      file: tabs,
      swaps: [
        ["runs.current()?.end('interrupted');", '{}'],
        ['    link.flushNow();\n', ''],
      ],
    },
  ],
  'that a tool begins is written like anything else': [
    { file: writes, swaps: [["isClaim ? 'strict' : durability", 'durability']] },
  ],
  'a tab that finds a session taken does not wait': [
    {
      file: 'src/storage/lock.ts',
      swaps: [['if (signal?.aborted) throw', 'if (signal?.aborted || turns.has(sessionId)) throw']],
    },
  ],
  'a run that goes on after a decision holds no lock': [
    { file: 'src/core/session/decisions.ts', swaps: [['runs.requestLease();', '']] },
  ],
  'what a person said in the tab that was too late is dropped': [
    { file: tabs, swaps: [['() => appendAgain(later)', '() => {}']] },
    { file: tabs, swaps: [['...prompts.map(resend)', '']] },
  ],
  'a message that was stored after all is said again': [
    { file: tabs, swaps: [['if (!isThere) append(body);', 'append(body);']] },
  ],
  'a tab that comes late goes on with a run as if it were its own': [
    { file: 'src/core/model/recover.ts', swaps: [["run && statusOf(state) === 'running' ?", 'run && false ?']] },
  ],
};

const seeds = 200;

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

/** A property, and the path of the case that fails: see fast-check. */
interface Catch {
  readonly name: string;
  readonly path: string;
}

/** Returns the first property that fails, or `undefined` if all hold. */
async function findFailing(properties: Properties): Promise<Catch | undefined> {
  for (const [name, property] of Object.entries(properties)) {
    const { failed, counterexamplePath } = await fc.check<unknown>(property, {
      seed: 1,
      numRuns: seeds,
      endOnFailure: true,
    });
    if (failed) return { name, path: counterexamplePath ?? '' };
  }
  return undefined;
}

/** Returns whether the case that caught the bug before fails again. */
async function failsAgain(properties: Properties, witness: string): Promise<boolean> {
  const { name, path }: Catch = JSON.parse(witness);
  const property = properties[name];
  if (property === undefined || Number(path) >= seeds) return false;
  const { failed } = await fc.check<unknown>(property, { seed: 1, path, numRuns: 1, endOnFailure: true });
  return failed;
}

const witnesses = readWitnesses('test/storage/witnesses.json');

describe.each(Object.entries(bugs))('a planted bug: %s', (bug, mutations) => {
  test(`is caught within ${seeds} seeds`, { timeout: 120_000 }, async () => {
    await withProperties(mutations, async (properties) => {
      const witness = witnesses.get(bug);
      if (witness !== undefined && (await failsAgain(properties, witness))) return;
      const found = await findFailing(properties);
      expect(found).toBeDefined();
      witnesses.note(bug, JSON.stringify(found));
    });
  });
});

test('what is planted nowhere is not caught', { timeout: 120_000 }, async () => {
  await withProperties([], async (properties) => {
    for (const property of Object.values(properties)) {
      await expect(fc.assert<unknown>(property, { seed: 1, numRuns: seeds })).resolves.toBeUndefined();
    }
  });
});
