import { type Spending, totalInput, type Usage } from './message.ts';
import type { ContextEvent } from './context-event.ts';
import type { SessionEvent } from './event.ts';
import { noUsage, openRun, type RunState, type SessionState } from './state.ts';

const tokenKinds = ['input', 'output', 'cached', 'reasoning', 'cacheRead', 'cacheWritten'] as const;

export function addUsage(sum: Usage, usage: Usage): Usage {
  const total: { -readonly [Key in keyof Usage]: Usage[Key] } = { ...sum };
  for (const key of tokenKinds) if (usage[key]) total[key] = (sum[key] ?? 0) + usage[key];
  return total;
}

/** Adds tokens to the usage of the session, and tokens and cost to those of the open run. */
export function spend(state: SessionState, usage: Usage = noUsage, cost?: number): SessionState {
  if (usage === noUsage && cost === undefined) return state;
  const run = openRun(state);
  return {
    ...state,
    usage: addUsage(state.usage, usage),
    ...(run && { run: pay({ ...run, usage: addUsage(run.usage, usage) }, cost) }),
  };
}

/** Returns the run without its reservation, and with this cost. */
export function pay({ reserved: _reserved, ...run }: RunState, cost: number | undefined): RunState {
  return cost === undefined ? run : { ...run, cost: (run.cost ?? 0) + cost };
}

export function addSpending(one: Spending, other: Spending): Spending {
  return { tokens: one.tokens + other.tokens, steps: one.steps + other.steps, money: one.money + other.money };
}

export function subtractSpending(one: Spending, other: Spending): Spending {
  return { tokens: one.tokens - other.tokens, steps: one.steps - other.steps, money: one.money - other.money };
}

/**
 * Returns what a run has used: its own requests, the sessions of its ended calls, and what is reserved for its open reply. The sessions of
 * its open calls have runs of their own.
 */
export function spendingOf({ steps, usage, cost = 0, reserved = 0, children = noSpending }: RunState): Spending {
  return addSpending(children, { tokens: totalInput(usage) + usage.output, steps, money: cost + reserved });
}

export const noSpending: Spending = { tokens: 0, steps: 0, money: 0 };

/** Appends a context event to the state; `historyOf` derives its effect when needed. */
export function changeContext(state: SessionState, event: SessionEvent & ContextEvent): SessionState {
  const noted = { ...state, context: [...state.context, event] };
  if (!('cause' in event)) return noted;
  const spent = spend(noted, event.usage, event.cost);
  return spent.run ? { ...spent, run: { ...spent.run, compactedAtStep: spent.run.steps } } : spent;
}

/** Removes the open reply, whose request the provider refused, and marks the run as refused. */
export function refuseReply(state: SessionState): SessionState {
  if (state.run?.openReply === undefined) return state;
  const { openReply, compactedAtStep: _compactedAtStep, reserved: _reserved, steps, ...run } = state.run;
  return {
    ...state,
    run: { ...run, steps: steps - 1, isRefused: true },
    messages: state.messages.filter(({ id }) => id !== openReply),
  };
}
