import type { ContextEvent } from '../model/event.ts';
import type { SessionState } from '../model/state.ts';
import type { Message } from '../model/message.ts';

export type Compaction = Extract<ContextEvent, { readonly type: 'context.compacted' }>;

/** What has been done to the context so far. */
export interface History {
  /** Those in effect or integrated by a later one, oldest first; without those that were undone. */
  readonly compactions: readonly Compaction[];
  /** Attempts in a row that came to nothing. */
  readonly failures: number;
  /** Whether the last thing that happened was an undo: then nobody wants the next one at once. */
  readonly isRestored: boolean;
  /** Ids of messages. */
  readonly pinned: ReadonlySet<string>;
}

const known = new WeakMap<readonly ContextEvent[], History>();

export function historyOf({ context }: SessionState): History {
  const before = known.get(context);
  if (before !== undefined) return before;
  let compactions: readonly Compaction[] = [];
  let failures = 0;
  let isRestored = false;
  const pinned = new Set<string>();
  for (const event of context) {
    switch (event.type) {
      case 'context.compacted':
        compactions = [...compactions, event];
        failures = 0;
        isRestored = false;
        break;
      case 'context.compaction-failed':
        failures++;
        break;
      case 'context.restored': {
        // Later ones have integrated it: they go with it.
        const place = compactions.findIndex(({ compactionId }) => compactionId === event.compactionId);
        if (place === -1) break;
        compactions = compactions.slice(0, place);
        isRestored = true;
        break;
      }
      case 'message.pinned':
        if (event.pinned) pinned.add(event.messageId);
        else pinned.delete(event.messageId);
    }
  }
  const history = { compactions, failures, isRestored, pinned };
  known.set(context, history);
  return history;
}

/** Where the live part of the conversation begins. */
export interface LiveRange {
  /** The compaction in effect. */
  readonly compaction?: Compaction;
  /** Index of the first message that is not folded. */
  readonly start: number;
  /** Index of the first message whose tool outputs are whole. */
  readonly whole: number;
}

/** The newest compaction whose last folded message is still there: an answer that begins anew before it undoes it. */
export function liveRange(state: SessionState): LiveRange {
  const { compactions } = historyOf(state);
  for (const compaction of compactions.toReversed()) {
    const start = after(state.messages, compaction.through);
    if (start > 0 || compaction.through === undefined)
      return { compaction, start, whole: Math.max(start, after(state.messages, compaction.pruned)) };
  }
  return { start: 0, whole: 0 };
}

/** Index of what follows a message; 0 where it is not there. */
function after(messages: readonly Message[], id: string | undefined): number {
  return id === undefined ? 0 : messages.findIndex((message) => message.id === id) + 1;
}
