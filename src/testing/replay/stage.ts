import { createLog } from '../../core/log/log.ts';
import { createMemoryReplica } from '../../core/log/memory-replica.ts';
import type { SessionEvent } from '../../core/model/event.ts';
import type { SessionState } from '../../core/model/state.ts';
import type { Log } from '../../core/log/log.ts';
import { createAgentSession, type OwnedSession } from '../../core/session/create-session.ts';
import { createLoneTab } from '../../core/session/lone-tab.ts';
import type { Runs } from '../../core/session/runs.ts';
import type { SessionEnv } from '../../core/session/session-env.ts';

/** One session of the agent under test, in one page. */
export interface Stage {
  readonly session: OwnedSession;
  readonly log: Log;
  /** The runs of the session: what a page without the verbs does, such as a crash or another tab. */
  readonly runs: Runs;
}

/** Opens a session that continues from a state. @param record called with each event of the session */
export function openStage(
  state: SessionState,
  env: Omit<SessionEnv, 'log' | 'replica' | 'store'>,
  record: (event: SessionEvent) => void,
): Stage {
  const log = createLog(state, env.ports, record);
  const replica = createMemoryReplica();
  let runs: Runs | undefined;
  const session = createAgentSession({ ...env, log, replica, store: undefined }, (sessionEnv, its) => {
    runs = its;
    return createLoneTab(sessionEnv, its);
  });
  if (runs === undefined) throw new Error('The session has no runs.');
  return { session, log, runs };
}
