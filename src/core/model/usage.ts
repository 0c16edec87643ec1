import type { Usage } from './message.ts';
import type { ContextEvent, SessionEvent } from './event.ts';
import { openRun, type SessionState } from './state.ts';

const tokenKinds = ['input', 'output', 'cached', 'reasoning', 'cacheRead', 'cacheWritten'] as const;

export function addUsage(sum: Usage, usage: Usage): Usage {
  const total: { -readonly [Key in keyof Usage]: Usage[Key] } = { ...sum };
  for (const key of tokenKinds) if (usage[key]) total[key] = (sum[key] ?? 0) + usage[key];
  return total;
}

/** Counts tokens to the session, and to the run that goes on. */
export function spend(state: SessionState, usage: Usage | undefined): SessionState {
  if (usage === undefined) return state;
  const run = openRun(state);
  return {
    ...state,
    usage: addUsage(state.usage, usage),
    ...(run && { run: { ...run, usage: addUsage(run.usage, usage) } }),
  };
}

/** Notes what was done to the context; what it comes to, whoever needs it works out. */
export function changeContext(state: SessionState, event: SessionEvent & ContextEvent): SessionState {
  const noted = { ...state, context: [...state.context, event] };
  if (!('cause' in event)) return noted;
  const spent = spend(noted, event.usage);
  return spent.run ? { ...spent, run: { ...spent.run, compactedAtStep: spent.run.steps } } : spent;
}

/** The reply that was asked for does not come: as if it had not been, but for the reason. */
export function refuseReply(state: SessionState): SessionState {
  if (state.run?.openReply === undefined) return state;
  const { openReply, compactedAtStep: _foldedAt, steps, ...run } = state.run;
  return {
    ...state,
    run: { ...run, steps: steps - 1, isRefused: true },
    messages: state.messages.filter(({ id }) => id !== openReply),
  };
}
