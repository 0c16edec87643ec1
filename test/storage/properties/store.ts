import { AgentError, type SessionEvent, type SessionStore } from 'brooklet';
import type { SessionWrite, StoredSession } from 'brooklet/core';
import fc from 'fast-check';
import type { IndexedDBFault } from '../../support/faulty-indexeddb.ts';
import { written } from '../../support/normal-log.ts';
import { textAt, writeOf } from '../raw.ts';

/** The store as a plain map of plain arrays. */
interface Model {
  readonly sessions: Map<string, StoredSession>;
  /** `seq` up to which a session's events are settled: no write replaces them. */
  readonly settled: Map<string, number>;
}

/** The store under test, in a browser that can be told to fail. */
interface Real {
  store: SessionStore;
  reopen(): SessionStore;
  arm(faults: readonly IndexedDBFault[]): void;
}

type Command = fc.AsyncCommand<Model, Real>;

const faults: fc.Arbitrary<readonly IndexedDBFault[]> = fc.oneof(
  { weight: 3, arbitrary: fc.constant([]) },
  {
    weight: 2,
    arbitrary: fc.array(
      fc.oneof(
        fc.record({ kind: fc.constantFrom('full', 'abort', 'closed', 'terminated') }),
        fc.record({ kind: fc.constant('request'), nth: fc.integer({ min: 1, max: 4 }) }),
      ),
      { minLength: 1, maxLength: 4 },
    ),
  },
);

const troubles = ['QUOTA_EXCEEDED', 'STORAGE_FAILED', 'STORAGE_CONFLICT', 'STORAGE_UNAVAILABLE'];

async function outcomeOf(work: Promise<unknown>): Promise<AgentError | undefined> {
  try {
    await work;
    return undefined;
  } catch (thrown) {
    if (thrown instanceof AgentError && troubles.includes(thrown.code)) return thrown;
    throw thrown;
  }
}

/** What is stored is what the array says: of each session, and in the list. */
async function compare({ sessions }: Model, { store }: Real): Promise<void> {
  for (const [id, its] of sessions) {
    // Of a title that came with nothing but more of a text, the list may not know yet.
    const title = (await store.read(id))?.summary.title.slice(0, 1);
    if (title !== id) throw new Error(`the title of ${id} begins with ${title}`);
    for (const after of [-Infinity, its.events[its.events.length >> 1]?.seq ?? 0, its.summary.seq]) {
      const stored = await store.read(id, { after });
      const is = JSON.stringify([stored?.summary.seq, stored?.events, stored?.damage]);
      const shouldBe = JSON.stringify([its.summary.seq, its.events.filter(({ seq }) => seq > after), undefined]);
      if (is !== shouldBe) throw new Error(`after ${after} stored is\n${is}\nand should be\n${shouldBe}`);
    }
  }
  const listed = (await store.list()).sessions.map(({ id }) => id).toSorted();
  if (listed.join() !== [...sessions.keys()].toSorted().join()) throw new Error(`the list has ${listed.join()}`);
}

interface WriteShape {
  readonly id: string;
  /** How many new events. */
  readonly count: number;
  /** By how much the `seq` is wrong that it builds on. */
  readonly stale: number;
  /** How many of the last events to make one of. */
  readonly joins: number;
  readonly phase: SessionWrite['phase'] | undefined;
  readonly faults: readonly IndexedDBFault[];
}

function toWrite(
  stored: StoredSession | undefined,
  settled: number,
  { id, count, stale, joins, phase }: WriteShape,
): SessionWrite {
  const seq = stored?.summary.seq ?? 0;
  // A new session begins with an event.
  const fresh = Array.from({ length: stored ? count : Math.max(1, count) }, (_, index) => seq + 1 + index);
  const plain = writeOf(id, Math.max(0, seq + stale), ...fresh);
  const pieces = joins === 0 ? [] : (stored?.events ?? []).filter((event) => event.seq > settled).slice(-joins);
  const [first, last] = [pieces[0], pieces.at(-1)];
  const whole: SessionEvent[] = first && last ? [textAt(last.seq, `from ${first.seq}`)] : [];
  return {
    ...plain,
    summary: { ...plain.summary, seq: fresh.at(-1) ?? seq, title: `${id} ${count}` },
    events: [...whole, ...plain.events],
    replaces: first && last ? [[first.seq, last.seq]] : [],
    ...(phase && { phase }),
  };
}

function toCommand(name: string, shape: object, run: Command['run']): Command {
  return { check: () => true, run, toString: () => `${name}(${JSON.stringify(shape)})` };
}

/** A write, right or stale, whose transactions may fail. */
const write = (shape: WriteShape): Command =>
  toCommand('write', shape, async (model, real) => {
    const stored = model.sessions.get(shape.id);
    const seq = stored?.summary.seq ?? 0;
    const its = toWrite(stored, model.settled.get(shape.id) ?? 0, shape);
    real.arm(shape.faults);
    const error = await outcomeOf(real.store.write(its));
    real.arm([]);
    if (error === undefined) {
      if (its.expectedSeq !== seq) throw new Error(`a write upon ${its.expectedSeq} was taken where ${seq} is stored`);
      model.sessions.set(shape.id, { summary: its.summary, events: written(stored?.events ?? [], its) });
      if (its.phase === 'settled') model.settled.set(shape.id, its.summary.seq);
    } else if (shape.faults.length === 0 && its.expectedSeq === seq) throw error;
    await compare(model, real);
  });

const remove = (shape: Pick<WriteShape, 'id' | 'faults'>): Command =>
  toCommand('remove', shape, async (model, real) => {
    const seq = model.sessions.get(shape.id)?.summary.seq;
    real.arm(shape.faults);
    const error = await outcomeOf(real.store.remove(shape.id));
    real.arm([]);
    if (error !== undefined && shape.faults.length === 0) throw error;
    if (error === undefined) {
      model.sessions.delete(shape.id);
      model.settled.delete(shape.id);
    }
    await compare(model, real);
    if (seq === undefined || error !== undefined) return;
    // Whoever does not know yet cannot write it back.
    const late = await outcomeOf(real.store.write(writeOf(shape.id, seq, seq + 1)));
    if (late?.code !== 'STORAGE_CONFLICT') throw new Error('a removed session was written back');
  });

/** The page is loaded anew: nothing is known but what is stored. */
const reopen: Command = toCommand('reopen', {}, async (model, real) => {
  real.store.close();
  real.store = real.reopen();
  await compare(model, real);
});

const id = fc.constantFrom('a', 'b');

const commands = fc.commands(
  [
    fc
      .record({
        id,
        count: fc.nat({ max: 3 }),
        stale: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constantFrom(-2, -1, 1) }),
        joins: fc.oneof(
          { weight: 2, arbitrary: fc.constant(0) },
          { weight: 1, arbitrary: fc.integer({ min: 2, max: 4 }) },
        ),
        phase: fc.constantFrom(undefined, 'streaming' as const, 'settled' as const),
        faults,
      })
      .map(write),
    fc.record({ id: fc.constantFrom('a', 'b', 'c'), faults }).map(remove),
    fc.constant(reopen),
  ],
  { maxCommands: 25 },
);

/**
 * Whatever is written, refused, removed and spoiled, the store holds what a plain array would: all of each write that was
 * acknowledged, nothing of any that was not.
 *
 * @param setUp gives a new and empty store, a way to open it once more, and faults where the browser can have some
 */
export function storeIsAnArray(
  setUp: () => Real & { readonly tearDown: () => void | Promise<void> },
): fc.IAsyncProperty<[Iterable<Command>]> {
  return fc.asyncProperty(commands, async (its) => {
    const real = setUp();
    try {
      await fc.asyncModelRun(() => ({ model: { sessions: new Map(), settled: new Map() }, real }), its);
    } finally {
      real.store.close();
      await real.tearDown();
    }
  });
}
