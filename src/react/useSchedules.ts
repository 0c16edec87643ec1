import type { ScheduledPrompt } from '../core/agent/scheduled-prompt.ts';
import { useAgent } from './useAgent.ts';
import { useObservable } from './useObservable.ts';

/**
 * Returns the planned prompts of all sessions, the next one first: see `Agent.schedule`.
 *
 *     const planned = useSchedules();
 *     return planned.map(({ id, text, due }) => <li key={id}>{new Date(due).toLocaleString()}: {text}</li>);
 *
 * @throws AgentError `INVALID_CONFIG` outside of an `AgentProvider`
 */
export function useSchedules(): readonly ScheduledPrompt[] {
  const { schedules$, getSchedules } = useAgent();
  return useObservable(schedules$, getSchedules);
}
