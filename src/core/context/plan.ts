import type { SessionState } from '../model/state.ts';
import { isEnded } from '../model/call-status.ts';
import { type Message, toolParts } from '../model/message.ts';
import type { Counter } from './count.ts';
import { liveRange, historyOf } from './history.ts';
import { toVisible } from './request.ts';
import type { Zones, Zoning } from './zones.ts';

/** What a compaction is going to leave out. */
export interface Plan {
  /** Messages that leave the live part, oldest first; none where leaving out old outputs is enough. */
  readonly compacted: readonly Message[];
  /** Index of the first of them. */
  readonly start: number;
  /** Id of the last message that is folded then. */
  readonly through?: string;
  /** Id of the last message whose longer outputs are left out then. */
  readonly pruned?: string;
}

export interface PlanOptions {
  readonly zones: Zones;
  readonly zoning: Zoning;
  readonly counter: Counter;
  /** Tokens that the next request should have, by the counter's count. */
  readonly target: number;
  /** Tokens of it for the summary. */
  readonly summary: number;
  /** Whether a person asked for it: then there is no need to be over the target. */
  readonly insists: boolean;
}

/** Messages that called tools and keep their outputs whole, counted from the end. */
const keepsOutputs = 2;
/** Leaving out outputs alone must make at least this much of the target free, or it would be due again in no time. */
const worthIt = 0.1;

/**
 * Where to cut. Old tool outputs go first, if that is enough; else messages are folded up to the start of a run, or, where one run is
 * longer than the room, up to one of its replies. A call and its result are one message here and never come apart; what has not ended,
 * and the newest message, stay.
 */
export function planCompaction(state: SessionState, options: PlanOptions): Plan | undefined {
  const { zones, zoning, counter, target, summary, insists } = options;
  const { messages } = state;
  const { compaction, start, whole } = liveRange(state);
  const { pinned } = historyOf(state);
  const sizes = messages.map((message, index) =>
    index < start ? 0 : counter.messages(toVisible([zoning.seen(message, index, index >= whole)])),
  );
  const sum = (from: number, to?: number): number => sizes.slice(from, to).reduce((total, size) => total + size, 0);
  const fixed = counter.messages(zones.immutable) + counter.text(zones.scratch);
  const total = fixed + counter.messages(zones.compressed) + sum(start);

  // All before the newest messages that called tools may lose their outputs.
  const calling = messages.flatMap((message, index) => (toolParts(message).length > 0 ? [index] : []));
  const prunable = calling.at(-keepsOutputs) ?? 0;
  const prune = (from: number): number =>
    messages
      .slice(from, prunable)
      .reduce(
        (saved, message, offset) =>
          saved +
          Math.max(0, (sizes[from + offset] ?? 0) - counter.message(zoning.seen(message, from + offset, false))),
        0,
      );
  const saved = prune(Math.max(start, whole));
  const pruned = messages[prunable - 1]?.id;
  if (!insists && pruned !== undefined && saved > target * worthIt && total - saved <= target)
    return { compacted: [], start, pruned, ...(compaction?.through !== undefined && { through: compaction.through }) };

  const open = messages.findIndex((message) => toolParts(message).some(({ status }) => !isEnded(status)));
  const newest = sizes.findLastIndex((size) => size > 0);
  const lastStart = open === -1 ? newest : Math.min(open, newest);
  // What is pinned stays, in the live part or word for word beside the summary.
  const kept = messages.reduce(
    (tokens, message, index) =>
      tokens + (pinned.has(message.id) ? counter.message(zoning.seen(message, index, true)) : 0),
    counter.messages(zones.compressed.filter(({ role }) => role === 'system')),
  );
  const room = insists ? Math.min(target - fixed - summary - kept, sum(start) / 2) : target - fixed - summary - kept;
  let first = lastStart;
  for (let size = sum(first); first > start && size + (sizes[first - 1] ?? 0) <= room; first--)
    size += sizes[first - 1] ?? 0;

  // What the model does not see is no place to begin.
  const isStart = (index: number, role = 'user'): boolean => messages[index]?.role === role && (sizes[index] ?? 0) > 0;
  const begins = (from: number, fits: (index: number) => boolean): number | undefined => {
    for (let index = Math.max(from, start + 1); index <= lastStart; index++) if (fits(index)) return index;
    return undefined;
  };
  const question = messages.findLastIndex((_message, index) => index <= lastStart && isStart(index));
  const cut =
    begins(first, (index) => isStart(index)) ??
    begins(Math.max(first, question + 1), (index) => isStart(index, 'assistant')) ??
    (question > start ? question : undefined);
  if (cut === undefined) return undefined;
  const through = messages[cut - 1]?.id;
  if (through === undefined) return undefined;
  // What is left may still be too long, if it is one run with many calls.
  const prunes = sum(cut) > room && prunable > cut && pruned !== undefined;
  return { compacted: messages.slice(start, cut), start, through, ...(prunes && { pruned }) };
}
