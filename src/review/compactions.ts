import { defined } from '../core/json.ts';
import { estimatedCaps } from '../core/context/cap.ts';
import { createZoning, joinZones } from '../core/context/zones.ts';
import type { CompactionCause } from '../core/model/context-event.ts';
import type { SessionEvent } from '../core/model/event.ts';
import type { Message, Usage } from '../core/model/message.ts';
import type { SessionState } from '../core/model/state.ts';
import type { Timeline } from './timeline.ts';

/** One compaction of older messages. */
export interface ReviewCompaction {
  readonly compactionId: string;
  /** `seq` of `context.compacted`. */
  readonly seq: number;
  /** ms since the epoch. */
  readonly at: number;
  readonly cause: CompactionCause;
  readonly strategy: string;
  readonly summary?: string;
  /** Tokens of the next request before and after, estimated. */
  readonly tokens: { readonly before: number; readonly after: number };
  /** Tokens of the summary requests. */
  readonly usage?: Usage;
  readonly model?: string;
  /** `seq` of the event that undid the compaction. */
  readonly undoneSeq?: number;
  /** The messages of the next request without the compaction, instructions not counted. Computed when read. */
  readonly before: readonly Message[];
  /** The messages of the next request with the compaction, instructions not counted. Computed when read. */
  readonly after: readonly Message[];
}

type Compacted = Extract<SessionEvent, { readonly type: 'context.compacted' }>;

/** Lists the compactions of a log, in the order of the log. */
export function toCompactions(events: readonly SessionEvent[], timeline: Timeline): readonly ReviewCompaction[] {
  const undone = new Map<string, number>();
  for (const event of events) if (event.type === 'context.restored') undone.set(event.compactionId, event.seq);
  return events.flatMap((event, before) =>
    event.type === 'context.compacted'
      ? toCompaction(event, { before, timeline, undoneSeq: undone.get(event.compactionId) })
      : [],
  );
}

interface Place {
  /** Number of events before the compaction. */
  readonly before: number;
  readonly timeline: Timeline;
  readonly undoneSeq: number | undefined;
}

function toCompaction(event: Compacted, { before, timeline, undoneSeq }: Place): ReviewCompaction {
  const { compactionId, seq, at, cause, strategy, summary, tokens, usage, model } = event;
  return {
    compactionId,
    seq,
    at,
    cause,
    strategy,
    tokens,
    ...defined({ summary, usage, model, undoneSeq }),
    get before() {
      return messagesFor(timeline.stateAfter(before));
    },
    get after() {
      return messagesFor(timeline.stateAfter(before + 1));
    },
  };
}

/** Returns the messages that the model would see of a state, outputs whole. */
function messagesFor(state: SessionState): readonly Message[] {
  return joinZones(createZoning({ immutable: [], caps: estimatedCaps(Infinity) }).zones(state));
}
