import { fail } from '../error.ts';
import type { Readiness } from '../model/commands.ts';
import { isUnderWay, statusOf } from '../model/status.ts';
import type { Runs } from './runs.ts';
import type { SessionEnv } from './session-env.ts';

/** A function that throws `AgentError` unless the session is ready for what a verb does. */
export type Guard = (readiness: Readiness) => void;

export function createGuard({ log, replica }: SessionEnv, runs: Runs): Guard {
  const { id } = log.getState();

  function checkOpen(): void {
    if (replica.isClosed())
      fail('SESSION_REMOVED', `Session ${id} has been removed, or has left the memory: open it again.`);
    const storage = replica.getStatus();
    if (storage.state === 'read-only') fail('SESSION_READ_ONLY', storage.error.message, storage.error);
    // While the log is read again, what is done now is done again on top of it.
    if (storage.state !== 'stale' || replica.isReading()) return;
    void replica.catchUp();
    fail('SESSION_READ_ONLY', `Another tab has gone on with session ${id}, which cannot be read now.`, storage.error);
  }

  return (readiness) => {
    checkOpen();
    if (readiness === 'open') return;
    if (log.isRunOpen() && runs.runsElsewhere()) fail('SESSION_BUSY', `Another tab is running session ${id}.`);
    if (readiness === 'usable') return;
    const status = statusOf(log.getState());
    if (isUnderWay(status))
      fail('SESSION_BUSY', `Session ${id} is ${status}: wait for the end of its run, or cancel it.`);
  };
}
