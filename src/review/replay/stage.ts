import { freeze } from '../../core/freeze.ts';
import { createLog } from '../../core/log/log.ts';
import type { Replica } from '../../core/log/replica.ts';
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
  readonly ports: SessionEnv['ports'];
}

/** What a session of a replay needs of its agent: the session is in no store, and its end is not reported. */
export interface StageAgent extends Omit<SessionEnv, 'log' | 'replica' | 'store' | 'agentName' | 'onGone' | 'onClose'> {
  /** Whether only this package reads the states of the session. Then they are not frozen: lists that are frozen take longer to read. */
  readonly isUnseen?: boolean;
}

interface StageEnv extends StageAgent {
  /** Called with each event of the session. */
  readonly record: (event: SessionEvent) => void;
  /** Resolves when everything has been done that was done while a decision was being stored. */
  readonly whenStored: () => Promise<void>;
}

/** Opens a session that continues from a state. */
export function openStage(state: SessionState, { record, whenStored, isUnseen, ...env }: StageEnv): Stage {
  const log = createLog(state, env.ports, record, undefined, isUnseen ? asItIs : freeze);
  const memory = createMemoryReplica();
  const replica: Replica = {
    ...memory,
    flush: (durability) => (durability === 'strict' ? whenStored() : memory.flush(durability)),
  };
  let runs: Runs | undefined;
  const alone = { store: undefined, agentName: '', onGone() {}, onClose() {} };
  const session = createAgentSession({ ...env, ...alone, log, replica }, (sessionEnv, its) => {
    runs = its;
    return createLoneTab(sessionEnv, its);
  });
  if (runs === undefined) throw new Error('The session has no runs.');
  return { session, log, runs, ports: env.ports };
}

function asItIs<T>(value: T): T {
  return value;
}
