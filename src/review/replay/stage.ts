import { freeze } from '../../core/freeze.ts';
import { createLog } from '../../core/log/log.ts';
import { createStoreLink } from '../../core/log/create-store-link.ts';
import type { StoreLink } from '../../core/log/store-link.ts';
import type { SessionEvent } from '../../core/model/event.ts';
import type { SessionState } from '../../core/model/state.ts';
import type { Log } from '../../core/log/log.ts';
import { createDrivenSession, type OwnedSession } from '../../core/session/create-session.ts';
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
export interface StageAgent extends Omit<SessionEnv, 'log' | 'link' | 'store' | 'agentName' | 'onGone' | 'onClose'> {
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
  const memory = createStoreLink({ log, store: undefined, ports: env.ports });
  const link: StoreLink = {
    ...memory,
    flush: (durability) => (durability === 'strict' ? whenStored() : memory.flush(durability)),
  };
  const alone = { store: undefined, agentName: '', onGone() {}, onClose() {} };
  return { ...createDrivenSession({ ...env, ...alone, log, link }), log, ports: env.ports };
}

function asItIs<T>(value: T): T {
  return value;
}
