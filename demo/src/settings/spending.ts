import type { SessionEvent, SessionStore, Usage } from 'brooklet';
import { totalInput } from 'brooklet/core';
import { titleUsageOf } from '../model/metadata.ts';
import type { CostOf } from '../model/costs.ts';

/** What answers have used. */
export interface Spending {
  readonly sessions: number;
  /** Tokens. */
  readonly input: number;
  readonly output: number;
  /** US dollars, of the answers whose price is known. */
  readonly cost: number;
  /** Whether the price of every answer is known. */
  readonly isComplete: boolean;
}

export const nothing: Spending = { sessions: 0, input: 0, output: 0, cost: 0, isComplete: true };

function add(a: Spending, b: Spending): Spending {
  return {
    sessions: a.sessions + b.sessions,
    input: a.input + b.input,
    output: a.output + b.output,
    cost: a.cost + b.cost,
    isComplete: a.isComplete && b.isComplete,
  };
}

/** Adds up one session: every reply, also those that were replaced by another answer, every compaction, and its title. */
export function spendingOf(events: readonly SessionEvent[], costOf: CostOf): Spending {
  const title = titleUsageOf(events.findLast((event) => event.type === 'metadata.changed')?.metadata);
  const parts = title ? [...events, title] : events;
  return parts.reduce(
    (sum, event) => {
      const usage: Usage | undefined = 'usage' in event ? event.usage : undefined;
      if (usage === undefined) return sum;
      const cost = costOf(usage, 'model' in event ? event.model : undefined);
      return add(sum, {
        sessions: 0,
        input: totalInput(usage),
        output: usage.output,
        cost: cost ?? 0,
        isComplete: cost !== undefined,
      });
    },
    { ...nothing, sessions: 1 },
  );
}

/** Adds up all sessions, one after the other. A session that cannot be read is left out. Emits the sum so far through `onProgress`. */
export async function spendingOfAll(
  store: SessionStore,
  costOf: CostOf,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (sum: Spending) => void },
): Promise<Spending> {
  let sum = nothing;
  let cursor: string | undefined;
  do {
    const page = await store.list({ limit: 100, children: true, ...(cursor !== undefined && { cursor }) });
    for (const { id } of page.sessions) {
      const stored = await store.read(id).catch(() => undefined);
      if (signal.aborted) return sum;
      if (stored) sum = add(sum, spendingOf(stored.events, costOf));
    }
    onProgress(sum);
    ({ cursor } = page);
  } while (cursor !== undefined);
  return sum;
}
