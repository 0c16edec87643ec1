import type { SessionState } from '../model/state.ts';
import { isEnded } from '../model/call-status.ts';
import { type Message, toolParts } from '../model/message.ts';
import type { Counter } from './count.ts';
import { liveRange, historyOf } from './compaction-history.ts';
import { toVisible } from './visible-messages.ts';
import type { Zones, Zoning } from './zones.ts';

/** The messages and outputs that a compaction removes from the model's view. */
export interface Plan {
  /** Messages that leave the live range, oldest first; empty when pruning old outputs is enough. */
  readonly compacted: readonly Message[];
  /** Index of the first of these messages. */
  readonly start: number;
  /** Id of the last message that is compacted afterwards. */
  readonly through?: string;
  /** Id of the last message whose longer outputs are pruned afterwards. */
  readonly pruned?: string;
}

export interface PlanOptions {
  readonly zones: Zones;
  readonly zoning: Zoning;
  readonly counter: Counter;
  /** Tokens that the next request should have, as the counter counts them. */
  readonly target: number;
  /** Tokens of the target that are reserved for the summary. */
  readonly summary: number;
  /** Whether the user asked for the compaction: the request need not be over the target then. */
  readonly insists: boolean;
}

/** Number of the newest messages with tool calls whose outputs are never pruned. */
const keptOutputs = 2;
/** Share of the target that pruning alone must free. With less, the next compaction would soon be due. */
const minSavings = 0.1;

/**
 * Returns where to cut; `undefined` when no cut is possible. Old tool outputs are pruned first, if that is enough. Otherwise messages are
 * compacted up to the start of a run or, when one run is longer than the room, up to one of its replies.
 *
 * Invariant: a call and its result are in one message, so that no cut separates them. The newest message, and messages from the first open
 * call on, stay.
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

  // The messages before the newest messages with tool calls may be pruned.
  const calling = messages.flatMap((message, index) => (toolParts(message).length > 0 ? [index] : []));
  const prunable = calling.at(-keptOutputs) ?? 0;
  const savingsFrom = (from: number): number =>
    messages
      .slice(from, prunable)
      .reduce(
        (saved, message, offset) =>
          saved +
          Math.max(0, (sizes[from + offset] ?? 0) - counter.message(zoning.seen(message, from + offset, false))),
        0,
      );
  const saved = savingsFrom(Math.max(start, whole));
  const pruned = messages[prunable - 1]?.id;
  if (!insists && pruned !== undefined && saved > target * minSavings && total - saved <= target)
    return { compacted: [], start, pruned, ...(compaction?.through !== undefined && { through: compaction.through }) };

  const open = messages.findIndex((message) => toolParts(message).some(({ status }) => !isEnded(status)));
  const newest = sizes.findLastIndex((size) => size > 0);
  const lastStart = open === -1 ? newest : Math.min(open, newest);
  // Pinned messages stay, in the live range or verbatim beside the summary.
  const kept = messages.reduce(
    (tokens, message, index) =>
      tokens + (pinned.has(message.id) ? counter.message(zoning.seen(message, index, true)) : 0),
    counter.messages(zones.compressed.filter(({ role }) => role === 'system')),
  );
  const room = insists ? Math.min(target - fixed - summary - kept, sum(start) / 2) : target - fixed - summary - kept;
  let first = lastStart;
  for (let size = sum(first); first > start && size + (sizes[first - 1] ?? 0) <= room; first--)
    size += sizes[first - 1] ?? 0;

  // A message that the model does not see is not a valid start.
  const isStart = (index: number, role = 'user'): boolean => messages[index]?.role === role && (sizes[index] ?? 0) > 0;
  const findStart = (from: number, fits: (index: number) => boolean): number | undefined => {
    for (let index = Math.max(from, start + 1); index <= lastStart; index++) if (fits(index)) return index;
    return undefined;
  };
  const prompt = messages.findLastIndex((_message, index) => index <= lastStart && isStart(index));
  const cut =
    findStart(first, (index) => isStart(index)) ??
    findStart(Math.max(first, prompt + 1), (index) => isStart(index, 'assistant')) ??
    (prompt > start ? prompt : undefined);
  if (cut === undefined) return undefined;
  const through = messages[cut - 1]?.id;
  if (through === undefined) return undefined;
  // The remaining messages may still be too long: one run with many calls.
  const prunes = sum(cut) > room && prunable > cut && pruned !== undefined;
  return { compacted: messages.slice(start, cut), start, through, ...(prunes && { pruned }) };
}
