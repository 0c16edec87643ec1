import { AgentError, type SessionEvent, type SessionStore } from 'brooklet';
import type { SessionWrite, StoredSession } from 'brooklet/core';
import fc from 'fast-check';
import type { IndexedDBFault } from '../../support/faulty-indexeddb.ts';
import { written } from '../../support/normal-log.ts';
import { textAt, writeOf } from '../raw.ts';

/** The store as a plain map of plain arrays. */
interface Model {
  readonly sessions: Map<string, StoredSession>;
  /** By session: `seq` up to which its events are settled, so that no write replaces them. */
  readonly settled: Map<string, number>;
}

/** The store under test, in a browser that can be made to fail. */
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
        fc.record({ kind: fc.constantFrom('full', 'abort', 'closed', 'terminated', 'unanswered') }),
        fc.record({ kind: fc.constant('request'), nth: fc.integer({ min: 1, max: 4 }) }),
      ),
      { minLength: 1, maxLength: 4 },
    ),
  },
);

const codes = ['QUOTA_EXCEEDED', 'STORAGE_FAILED', 'STORAGE_CONFLICT', 'STORAGE_UNAVAILABLE'];

async function outcomeOf(work: Promise<unknown>): Promise<AgentError | undefined> {
  try {
    await work;
    return undefined;
  } catch (thrown) {
    if (thrown instanceof AgentError && codes.includes(thrown.code)) return thrown;
    throw thrown;
  }
}

/** Tries work during faults; once more without them if the answer may have been lost. Returns the error of the last try. */
async function outcomeOfTries(
  { arm }: Pick<Real, 'arm'>,
  during: readonly IndexedDBFault[],
  work: () => Promise<unknown>,
): Promise<AgentError | undefined> {
  arm(during);
  const error = await outcomeOf(work());
  arm([]);
  return error !== undefined && during.some(({ kind }) => kind === 'unanswered') ? outcomeOf(work()) : error;
}

/** Throws unless the store equals the model: each session, and the list. */
async function compare({ sessions }: Model, { store }: Real): Promise<void> {
  for (const [id, expected] of sessions) {
    // The list may lag behind a title that was written with streaming text.
    const title = (await store.read(id))?.summary.title.slice(0, 1);
    if (title !== id) throw new Error(`the title of ${id} begins with ${title}`);
    for (const after of [-Infinity, expected.events[expected.events.length >> 1]?.seq ?? 0, expected.summary.seq]) {
      const stored = await store.read(id, { after });
      const is = JSON.stringify([stored?.summary.seq, stored?.events, stored?.damage, stored?.writeId]);
      const shouldBe = JSON.stringify([
        expected.summary.seq,
        expected.events.filter(({ seq }) => seq > after),
        undefined,
        expected.writeId,
      ]);
      if (is !== shouldBe) throw new Error(`after ${after} stored is\n${is}\nand should be\n${shouldBe}`);
    }
  }
  const listed = (await store.list()).sessions.map(({ id }) => id).toSorted();
  if (listed.join() !== [...sessions.keys()].toSorted().join()) throw new Error(`the list has ${listed.join()}`);
}

interface WriteShape {
  readonly id: string;
  /** Number of new events. */
  readonly count: number;
  /** Difference between `expectedSeq` and the stored `seq`. */
  readonly stale: number;
  /** Which write the write expects: the last stored one, another one, or none. */
  readonly expects: 'last' | 'other' | 'none';
  /** Number of last events to replace with one. */
  readonly joins: number;
  readonly phase: SessionWrite['phase'] | undefined;
  readonly faults: readonly IndexedDBFault[];
}

function toWrite(
  stored: StoredSession | undefined,
  settled: number,
  { id, count, stale, expects, joins, phase }: WriteShape,
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
    writeId: `log/${crypto.randomUUID()}`,
    ...(expects === 'other' && plain.expectedSeq > 0 && { expectedWriteId: 'log/other' }),
    ...(expects === 'last' && stored?.writeId !== undefined && { expectedWriteId: stored.writeId }),
    ...(phase && { phase }),
  };
}

function toCommand(name: string, shape: object, run: Command['run']): Command {
  return { check: () => true, run, toString: () => `${name}(${JSON.stringify(shape)})` };
}

/** A valid or stale write whose transactions may fail. */
const write = (shape: WriteShape): Command =>
  toCommand('write', shape, async (model, real) => {
    const stored = model.sessions.get(shape.id);
    const seq = stored?.summary.seq ?? 0;
    const its = toWrite(stored, model.settled.get(shape.id) ?? 0, shape);
    // A write that was stored without an answer is found by its id.
    const tried = await outcomeOfTries(real, shape.faults, () => real.store.write(its));
    const isStored = tried !== undefined && (await real.store.read(shape.id))?.writeId === its.writeId;
    const error = isStored ? undefined : tried;
    const isExpected = its.expectedSeq === seq && (its.expectedWriteId ?? stored?.writeId) === stored?.writeId;
    if (error === undefined) {
      if (!isExpected) throw new Error(`a write upon ${its.expectedSeq} was taken where ${seq} is stored`);
      const events = written(stored?.events ?? [], its);
      model.sessions.set(shape.id, { summary: its.summary, events, writeId: its.writeId ?? '' });
      if (its.phase === 'settled') model.settled.set(shape.id, its.summary.seq);
    } else if (shape.faults.length === 0 && isExpected) throw error;
    await compare(model, real);
  });

const remove = (shape: Pick<WriteShape, 'id' | 'faults'>): Command =>
  toCommand('remove', shape, async (model, real) => {
    const removed = model.sessions.get(shape.id);
    const error = await outcomeOfTries(real, shape.faults, () => real.store.remove(shape.id));
    if (error !== undefined && shape.faults.length === 0) throw error;
    if (error === undefined) {
      model.sessions.delete(shape.id);
      model.settled.delete(shape.id);
    }
    await compare(model, real);
    if (removed === undefined || error !== undefined) return;
    // A late writer cannot write the session back, whether or not it names the last write.
    const { seq } = removed.summary;
    const late = writeOf(shape.id, seq, seq + 1);
    for (const write of [late, { ...late, writeId: 'log/late', expectedWriteId: removed.writeId }]) {
      const refused = await outcomeOf(real.store.write(write));
      if (refused?.code !== 'STORAGE_CONFLICT') throw new Error('a removed session was written back');
    }
  });

/** The page is reloaded: only the database remains. */
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
        expects: fc.constantFrom('last' as const, 'last' as const, 'last' as const, 'other' as const, 'none' as const),
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
 * After any writes, refusals, removals and faults the store equals a plain array: all of each acknowledged write, and
 * nothing of any other.
 *
 * @param setUp returns a new and empty store, a function that reopens it, and faults where the browser can have some
 */
export function storeIsAnArray(
  setUp: () => Real & { readonly tearDown: () => void | Promise<void> },
): fc.IAsyncProperty<[Iterable<Command>]> {
  return fc.asyncProperty(commands, async (cmds) => {
    const real = setUp();
    try {
      await fc.asyncModelRun(() => ({ model: { sessions: new Map(), settled: new Map() }, real }), cmds);
    } finally {
      real.store.close();
      await real.tearDown();
    }
  });
}
