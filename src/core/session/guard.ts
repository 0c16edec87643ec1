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

export function createGuard({ log, link }: SessionEnv, runs: Runs): Guard {
  function checkOpen(): void {
    if (link.isClosed())
      fail('SESSION_REMOVED', 'This conversation was deleted or closed. Open it again, or start a new one.');
    const storage = link.getStatus();
    if (storage.state === 'read-only') fail('SESSION_READ_ONLY', storage.error.message, storage.error);
    // Events that are appended while the stored log is being read are appended again on top of that log.
    if (storage.state !== 'stale' || link.isReading()) return;
    void link.catchUp();
    fail('SESSION_READ_ONLY', 'This conversation cannot be read at the moment. Try again.', storage.error);
  }

  return (readiness) => {
    checkOpen();
    if (readiness === 'open') return;
    if (openRun(log.peek()) && runs.runsElsewhere())
      fail('SESSION_BUSY', 'Another tab is answering in this conversation. Wait for the answer, or stop it.');
    if (readiness === 'usable') return;
    const status = statusOf(log.peek());
    if (status === 'waiting')
      fail('SESSION_BUSY', 'A call in this conversation waits for a decision. Decide it, or stop the run.');
    if (isUnderWay(status))
      fail('SESSION_BUSY', 'An answer is under way in this conversation. Wait for its end, or stop it.');
  };
}
