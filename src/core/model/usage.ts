import type { Usage } from './message.ts';
import type { ContextEvent, SessionEvent } from './event.ts';
import { openRun, type SessionState } from './state.ts';

const tokenKinds = ['input', 'output', 'cached', 'reasoning', 'cacheRead', 'cacheWritten'] as const;

export function addUsage(sum: Usage, usage: Usage): Usage {
  const total: { -readonly [Key in keyof Usage]: Usage[Key] } = { ...sum };
  for (const key of tokenKinds) if (usage[key]) total[key] = (sum[key] ?? 0) + usage[key];
  return total;
}

/** Adds tokens to the usage of the session, and of the open run. */
export function spend(state: SessionState, usage: Usage | undefined): SessionState {
  if (usage === undefined) return state;
  const run = openRun(state);
  return {
    ...state,
    usage: addUsage(state.usage, usage),
    ...(run && { run: { ...run, usage: addUsage(run.usage, usage) } }),
  };
}

/** Appends a context event to the state; `historyOf` derives its effect when needed. */
export function changeContext(state: SessionState, event: SessionEvent & ContextEvent): SessionState {
  const noted = { ...state, context: [...state.context, event] };
  if (!('cause' in event)) return noted;
  const spent = spend(noted, event.usage);
  return spent.run ? { ...spent, run: { ...spent.run, compactedAtStep: spent.run.steps } } : spent;
}

/** Removes the open reply, whose request the provider refused, and marks the run as refused. */
export function refuseReply(state: SessionState): SessionState {
  if (state.run?.openReply === undefined) return state;
  const { openReply, compactedAtStep: _compactedAtStep, steps, ...run } = state.run;
  return {
    ...state,
    run: { ...run, steps: steps - 1, isRefused: true },
    messages: state.messages.filter(({ id }) => id !== openReply),
  };
}
