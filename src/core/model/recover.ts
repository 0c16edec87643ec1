import type { EventBody } from './event.ts';
import { openRun, type RecentState, type SessionState } from './state.ts';
import { statusOf } from './status.ts';

/**
 * Returns the events that a vanished owner could not append. A run that only waited for a person stays open; any other run is
 * interrupted. Invariant: recovery resumes no run. A person does, or the tab that drove the run (`auto-resume.ts`).
 */
export function recover(state: SessionState | RecentState): readonly EventBody[] {
  const run = openRun(state);
  return run && statusOf(state) === 'running' ? [{ type: 'run.ended', runId: run.id, outcome: 'interrupted' }] : [];
}
