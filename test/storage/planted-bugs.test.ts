import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadMutant, type Mutation } from '../support/mutant.ts';

const commit = 'src/storage/commit.ts';
const writer = 'src/core/log/writer.ts';
const session = 'src/core/create-session.ts';

/** One at a time: what somebody might get wrong, and not see. */
const bugs: Readonly<Record<string, readonly Mutation[]>> = {
  'a write counts as done when its last request has succeeded': [
    {
      file: commit,
      swaps: [
        ['sessions.add(head);', "sessions.add(head).addEventListener('success', () => done());"],
        ['async function put()', 'let done = (): void => {};\n  async function put()'],
        ["transaction.addEventListener('complete', () => resolve());", 'done = resolve;'],
      ],
    },
  ],
  'nobody looks what a write builds on': [
    {
      file: commit,
      swaps: [
        ['if (look.result === undefined) throw conflict();', ''],
        [
          'sessions.delete([sessionId, expects]);',
          'sessions.delete(IDBKeyRange.bound([sessionId, 0], [sessionId, []]));',
        ],
        ['log.add(event,', 'log.put(event,'],
      ],
    },
  ],
  'the pieces of a part are removed in a transaction of their own': [
    {
      file: commit,
      swaps: [
        [
          "  const transaction = db.transaction(['sessions'",
          `  if (replaces.length > 0) {
    const first = db.transaction(['sessions', 'events'], 'readwrite');
    for (const [from, to] of replaces) first.objectStore('events').delete(IDBKeyRange.bound([sessionId, from], [sessionId, to]));
  }
  const transaction = db.transaction(['sessions'`,
        ],
      ],
    },
  ],
  'a removed session leaves no mark': [
    { file: 'src/storage/tables.ts', swaps: [['sessions.add({ id: sessionId, seq: 0 }),', '']] },
  ],
  'nothing is written when the page goes': [
    { file: writer, swaps: [['ports.onHide(hurry)', 'ports.onHide(() => {})']] },
    { file: session, swaps: [["run?.end('interrupted');\n    writer.hurry();", '{}']] },
  ],
  'what a failed write held is forgotten': [
    { file: writer, swaps: [['unsent = [...failures.flatMap(({ fresh }) => fresh), ...unsent];', '']] },
  ],
  'after a failed write the next one builds on it': [{ file: writer, swaps: [['sent = first.expects;', '']] }],
  'that a tool begins is written like anything else': [
    { file: writer, swaps: [["isClaim ? 'strict' : durability", 'durability']] },
  ],
  'a tool runs before it is written down': [
    { file: 'src/core/tools/execute.ts', swaps: [["await env.flush('strict');", '']] },
  ],
  'a tab that finds a session taken does not wait': [
    { file: 'src/core/ownership.ts', swaps: [['timeout: Infinity, signal', 'timeout: 0, signal']] },
  ],
  'a tab closes what another one left open without asking whether it lives': [
    { file: session, swaps: [['await ownership.enter();\n        await following', 'await following']] },
  ],
  'a run that goes on after a decision holds no lock': [
    { file: session, swaps: [['run ??= drive(current.id, {});\n      claim();', 'run ??= drive(current.id, {});']] },
  ],
  'what a person said in the tab that was too late is dropped': [
    { file: session, swaps: [['if (again.length === 0) return;', 'return;']] },
    {
      file: session,
      swaps: [
        [
          'if (closed || result.error?.code !== ',
          "if (closed || result.error?.code === 'STORAGE_CONFLICT' || result.error?.code !== ",
        ],
      ],
    },
  ],
  'a message that was stored after all is said again': [
    { file: session, swaps: [['if (!closed && !isThere)', 'if (!closed)']] },
  ],
  'pieces are taken in beside the event that was made of them': [
    {
      file: 'src/core/log/follow.ts',
      swaps: [['if (stored.events.some(({ since }) => since !== undefined && since <= seq)) return beginAgain();', '']],
    },
  ],
  'a tab that comes late goes on with a run as if it were its own': [
    { file: 'src/core/log/recover.ts', swaps: [["run && statusOf(state) === 'running' ?", 'run && false ?']] },
  ],
};

const seeds = 50;

type Properties = Readonly<Record<string, fc.IAsyncProperty<unknown>>>;

function areProperties(value: unknown): value is Properties {
  return typeof value === 'object' && value !== null && Object.values(value).every((one) => 'run' in one);
}

/** The properties of a package that has these mistakes. */
async function loadProperties(mutations: readonly Mutation[]): Promise<Properties> {
  const { properties } = await loadMutant('/test/storage/properties/index.ts', mutations);
  if (!areProperties(properties)) throw new Error('What was loaded are no properties.');
  return properties;
}

describe.each(Object.entries(bugs))('a planted bug: %s', (_name, mutations) => {
  test(`is caught within ${seeds} seeds`, { timeout: 120_000 }, async () => {
    const caught: string[] = [];
    for (const [name, property] of Object.entries(await loadProperties(mutations))) {
      const { failed, numRuns } = await fc.check<unknown>(property, { seed: 1, numRuns: seeds, endOnFailure: true });
      if (failed) caught.push(`"${name}" fails with the ${numRuns}. seed`);
      if (failed) break;
    }
    expect(caught).not.toEqual([]);
  });
});

test('what is planted nowhere is not caught', { timeout: 120_000 }, async () => {
  for (const property of Object.values(await loadProperties([]))) {
    await fc.assert<unknown>(property, { seed: 1, numRuns: seeds, endOnFailure: true });
  }
});
