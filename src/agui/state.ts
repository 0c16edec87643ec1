import type { Json, JsonObject } from '../core/json.ts';
import type { Message, Part, ProviderPart } from '../core/model/message.ts';
import { toList, toObject } from '../core/model/read-json.ts';
import { applyPatch, type PatchBudget } from './json-patch.ts';
import { toJsonText } from './json-text.ts';
import type { Step } from './step.ts';

/**
 * Name of the provider part of a change of the remote agent's state. `data` is `{ snapshot }`; `{ delta }`, a JSON Patch; or
 * `{ delta, problem }` for a patch that does not apply and has no effect. Invariant: the first one of a message that has an effect is a
 * snapshot.
 */
const stateMark = 'agui.state';

/** Reads the state events of one run. */
export interface StateReader {
  /** Reads a `STATE_SNAPSHOT` or a `STATE_DELTA`. */
  read(event: JsonObject): void;
  /** Emits the changes that are not emitted yet. */
  flush(): void;
}

/** Changes of one reply that are emitted at once; later ones are emitted in groups, because a reply is copied for each of its parts. */
const singleChanges = 1_000;
const groupSize = 100;
/** Entries that the patches of one reply may copy. */
const maxWork = 10_000_000;

/** What was read of the state of one run. */
interface StateReading {
  readonly current: Json;
  /** Entries that patches may still copy. */
  readonly left: number;
  readonly changes: number;
  /** The operations that are not emitted yet, by change. */
  readonly pending: readonly (readonly Json[])[];
  /** Characters of the latest snapshot, and of the patches since; -1 before the first snapshot. */
  readonly snapshotSize: number;
  readonly patchSize: number;
}

type StateStep = Step<StateReading, JsonObject>;

/** Returns the reading with the data of the parts that a `STATE_SNAPSHOT` or a `STATE_DELTA` becomes. */
function readChange(reading: StateReading, { type, snapshot, delta }: JsonObject, host: string): StateStep {
  if (type === 'STATE_SNAPSHOT')
    return snapshot === undefined ? [reading, []] : toSnapshot({ ...reading, current: snapshot }, host);
  const budget: PatchBudget = { left: reading.left };
  const patched = applyPatch(reading.current, delta, budget);
  const { left } = budget;
  if (patched.problem !== undefined) {
    const [flushed, out] = flush({ ...reading, left }, host);
    return [flushed, [...out, { delta: delta ?? null, problem: patched.problem }]];
  }
  const operations = toList(delta);
  const changes = reading.changes + 1;
  const pending = operations.length > 0 ? [...reading.pending, operations] : reading.pending;
  const next = { ...reading, left, changes, pending, current: patched.value };
  return changes <= singleChanges || changes % groupSize === 0 ? flush(next, host) : [next, []];
}

/** Returns the reading with the data of a part for the changes that are not emitted yet. */
function flush(reading: StateReading, host: string): StateStep {
  if (reading.pending.length === 0) return [reading, []];
  const delta = reading.pending.flat();
  const patchSize = reading.patchSize + toJsonText(delta, host).length;
  // A snapshot for as much text as the state has: the log grows by a constant factor, and a reader applies few patches.
  if (reading.snapshotSize < 0 || patchSize > reading.snapshotSize + 1_000) return toSnapshot(reading, host);
  return [{ ...reading, pending: [], patchSize }, [{ delta }]];
}

function toSnapshot(reading: StateReading, host: string): StateStep {
  const snapshotSize = toJsonText(reading.current, host).length;
  return [{ ...reading, pending: [], patchSize: 0, snapshotSize }, [{ snapshot: reading.current }]];
}

/** @param state the state before the run */
export function createStateReader(host: string, state: Json, emit: (part: Part) => void): StateReader {
  let reading: StateReading = {
    current: state,
    left: maxWork,
    changes: 0,
    pending: [],
    snapshotSize: -1,
    patchSize: 0,
  };

  function take([next, out]: StateStep): void {
    reading = next;
    for (const data of out) emit({ type: 'provider', name: stateMark, data });
  }

  return {
    read: (event) => take(readChange(reading, event, host)),
    flush: () => take(flush(reading, host)),
  };
}

/**
 * Returns the state of the remote agent after a conversation: its snapshots, with its deltas applied (RFC 6902). `undefined` where the agent
 * sent none.
 *
 * @example
 * session.messages$.subscribe((messages) => show(readAGUIState(messages)));
 */
export function readAGUIState(messages: readonly Message[]): Json | undefined {
  for (const { content } of messages.toReversed()) {
    const changes = content.filter(isStatePart).map(({ data }) => toObject(data));
    const start = changes.findLastIndex(({ snapshot }) => snapshot !== undefined);
    if (start >= 0) return changes.slice(start).reduce(apply, null);
  }
  return undefined;
}

function isStatePart(part: Part): part is ProviderPart {
  return part.type === 'provider' && part.name === stateMark;
}

function apply(state: Json, { snapshot, delta, problem }: JsonObject): Json {
  if (snapshot !== undefined) return snapshot;
  return problem === undefined ? (applyPatch(state, delta).value ?? state) : state;
}
