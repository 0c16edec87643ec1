import { defined } from '../core/json.ts';
import type { SessionEvent } from '../core/model/event.ts';
import type { Usage } from '../core/model/message.ts';
import { noUsage } from '../core/model/state.ts';
import { addUsage } from '../core/model/usage.ts';
import { copiedReply } from './copied.ts';

/** Returns the cost of tokens in the page's own currency, or `undefined` when the price of the model is unknown. */
export type CostOf = (usage: Usage, model: string | undefined) => number | undefined;

/** The tokens of a session up to one event that used some. */
export interface UsagePoint {
  readonly seq: number;
  /** ms since the epoch. */
  readonly at: number;
  /** Tokens of this reply or compaction. */
  readonly usage: Usage;
  readonly model?: string;
  /** Tokens of the session so far. */
  readonly total: Usage;
  /** Cost of the session so far; missing without `cost`, and from the first unknown price on. */
  readonly cost?: number;
  /** Whether the tokens are those of another log: of an imported file, or of the session of which this is a fork. */
  readonly isCopied?: boolean;
}

/** Lists the events that used tokens, with the totals up to each. */
export function toUsagePoints(events: readonly SessionEvent[], costOf: CostOf | undefined): readonly UsagePoint[] {
  let total: Usage = noUsage;
  let cost: number | undefined = costOf && 0;
  return events.flatMap((event) => {
    const of = event.type === 'message.added' ? copiedReply(event) : 'usage' in event ? event : undefined;
    if (of?.usage === undefined) return [];
    const { seq, at } = event;
    const { usage, model } = of;
    total = addUsage(total, usage);
    const price = costOf?.(usage, model);
    cost = cost === undefined || price === undefined ? undefined : cost + price;
    const isCopied = event.type === 'message.added' || undefined;
    return { seq, at, usage, total, ...defined({ model, cost, isCopied }) };
  });
}
