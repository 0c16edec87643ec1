import type { Json, JsonObject } from '../core/json.ts';
import type { Message, Part, ProviderPart } from '../core/model/message.ts';
import { toList, toObject } from '../core/model/read-json.ts';
import { applyPatch, type PatchBudget } from './json-patch.ts';
import { toJsonText } from './json-text.ts';

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

/** @param state the state before the run */
export function createStateReader(host: string, state: Json, emit: (part: Part) => void): StateReader {
  const budget: PatchBudget = { left: maxWork };
  let current = state;
  let changes = 0;
  /** Operations that are not emitted yet. */
  let pending: Json[] = [];
  /** Characters of the latest snapshot, and of the patches since. */
  let snapshotSize = -1;
  let patchSize = 0;

  function emitPart(data: JsonObject): void {
    emit({ type: 'provider', name: stateMark, data });
  }

  function emitSnapshot(): void {
    pending = [];
    patchSize = 0;
    snapshotSize = toJsonText(current, host).length;
    emitPart({ snapshot: current });
  }

  function flush(): void {
    if (pending.length === 0) return;
    patchSize += toJsonText(pending, host).length;
    // A snapshot for as much text as the state has: the log grows by a constant factor, and a reader applies few patches.
    if (snapshotSize < 0 || patchSize > snapshotSize + 1_000) return emitSnapshot();
    emitPart({ delta: pending });
    pending = [];
  }

  return {
    flush,
    read({ type, snapshot, delta }) {
      if (type === 'STATE_SNAPSHOT') {
        if (snapshot === undefined) return;
        current = snapshot;
        return emitSnapshot();
      }
      const patched = applyPatch(current, delta, budget);
      if (patched.problem !== undefined) {
        flush();
        return emitPart({ delta: delta ?? null, problem: patched.problem });
      }
      current = patched.value;
      for (const operation of toList(delta)) pending.push(operation);
      changes += 1;
      if (changes <= singleChanges || changes % groupSize === 0) flush();
    },
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
