import type { EventBody } from './event.ts';
import { openRun, type SessionState } from './state.ts';
import { statusOf } from './status.ts';

/**
 * What a vanished owner could not write any more. A run that only waited for a person goes on waiting; any other is interrupted,
 * and nothing goes on by itself: a person takes it up again, or does not.
 */
export function recover(state: SessionState): readonly EventBody[] {
  const run = openRun(state);
  return run && statusOf(state) === 'running' ? [{ type: 'run.ended', runId: run.id, outcome: 'interrupted' }] : [];
}
