import { fail } from '../error.ts';
import type { Readiness } from '../model/commands.ts';
import { openRun } from '../model/state.ts';
import { isUnderWay, statusOf } from '../model/status.ts';
import type { Runs } from './runs.ts';
import type { SessionEnv } from './session-env.ts';

/**
 * Checks that the session is ready for a verb.
 *
 * @throws AgentError `SESSION_REMOVED`, `SESSION_READ_ONLY`, `SESSION_BUSY`
 */
export type Guard = (readiness: Readiness) => void;

export function createGuard({ log, replica }: SessionEnv, runs: Runs): Guard {
  const { id } = log.peek();

  function checkOpen(): void {
    if (replica.isClosed()) fail('SESSION_REMOVED', `Session ${id} has been removed or closed: open it again.`);
    const storage = replica.getStatus();
    if (storage.state === 'read-only') fail('SESSION_READ_ONLY', storage.error.message, storage.error);
    // Events that are appended while the stored log is being read are replayed on top of that log.
    if (storage.state !== 'stale' || replica.isReading()) return;
    void replica.catchUp();
    fail('SESSION_READ_ONLY', `The log of session ${id} cannot be read: try again.`, storage.error);
  }

  return (readiness) => {
    checkOpen();
    if (readiness === 'open') return;
    if (openRun(log.peek()) && runs.runsElsewhere())
      fail('SESSION_BUSY', `Another tab is running session ${id}: wait for the end of its run, or cancel it.`);
    if (readiness === 'usable') return;
    const status = statusOf(log.peek());
    if (isUnderWay(status))
      fail('SESSION_BUSY', `Session ${id} is ${status}: wait for the end of its run, or cancel it.`);
  };
}
