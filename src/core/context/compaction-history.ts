import type { ErrorInfo } from '../error.ts';
import { defined } from '../json.ts';
import type { ContextEvent } from '../model/context-event.ts';
import type { SessionState } from '../model/state.ts';
import { placeOf } from '../model/message.ts';

export type Compaction = Extract<ContextEvent, { readonly type: 'context.compacted' }>;

/** The compactions and pins of a session, derived from its context events. */
export interface History {
  /** Compactions in effect, or integrated into a later one, oldest first; without those that were undone. */
  readonly compactions: readonly Compaction[];
  /** Number of consecutive failed attempts. */
  readonly failures: number;
  /** The error of the last attempt; missing when it succeeded. */
  readonly failure?: ErrorInfo;
  /** Whether a compaction was undone since the last one: the next is then deferred until a request would not fit. */
  readonly lastCompactionUndone: boolean;
  /** Ids of messages. */
  readonly pinned: ReadonlySet<string>;
}

const known = new WeakMap<readonly ContextEvent[], History>();

export function historyOf({ context }: SessionState): History {
  const before = known.get(context);
  if (before !== undefined) return before;
  let compactions: readonly Compaction[] = [];
  let failures = 0;
  let failure: ErrorInfo | undefined;
  let lastCompactionUndone = false;
  const pinned = new Set<string>();
  for (const event of context) {
    switch (event.type) {
      case 'context.compacted':
        compactions = [...compactions, event];
        failures = 0;
        failure = undefined;
        lastCompactionUndone = false;
        break;
      case 'context.compaction-failed':
        failures++;
        failure = event.error;
        break;
      case 'context.restored': {
        // Later compactions have integrated this one, so they are undone with it.
        const place = compactions.findIndex(({ compactionId }) => compactionId === event.compactionId);
        if (place === -1) break;
        compactions = compactions.slice(0, place);
        lastCompactionUndone = true;
        break;
      }
      case 'message.pinned':
        if (event.pinned) pinned.add(event.messageId);
        else pinned.delete(event.messageId);
    }
  }
  const history = { compactions, failures, lastCompactionUndone, pinned, ...defined({ failure }) };
  known.set(context, history);
  return history;
}

/** The range of messages that are not compacted. */
export interface LiveRange {
  /** The compaction in effect. */
  readonly compaction?: Compaction;
  /** Index of the first message that is not compacted. */
  readonly start: number;
  /** Index of the first message whose tool outputs are not pruned. */
  readonly whole: number;
}

/**
 * Returns the live range. The newest compaction whose last compacted message still exists is in effect: an answer that is regenerated from
 * an earlier message undoes the compaction.
 */
export function liveRange(state: SessionState): LiveRange {
  const { compactions } = historyOf(state);
  for (const compaction of compactions.toReversed()) {
    const start = placeOf(state.messages, compaction.through) + 1;
    if (start > 0 || compaction.through === undefined)
      return { compaction, start, whole: Math.max(start, placeOf(state.messages, compaction.pruned) + 1) };
  }
  return { start: 0, whole: 0 };
}
