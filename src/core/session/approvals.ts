import type { Observable } from 'rxjs';
import { current } from '../log/current.ts';
import type { ToolPart } from '../model/message.ts';
import { callsAwaitingApproval } from '../model/status.ts';
import type { SessionEnv } from './session-env.ts';
import { withBelow } from './with-below.ts';

/** The calls that wait for a person, here and in the sessions below. */
export interface Approvals {
  readonly approvals$: Observable<readonly ToolPart[]>;
  readonly getApprovals: () => readonly ToolPart[];
}

export function createApprovals({ log, tree }: Pick<SessionEnv, 'log' | 'tree'>): Approvals {
  let last: readonly ToolPart[] = [];

  /** Invariant: the same array for as long as the calls are the same. */
  function getApprovals(): readonly ToolPart[] {
    const found = [...callsAwaitingApproval(log.getState()), ...(tree?.waitingBelow() ?? [])];
    const isSame = found.length === last.length && found.every((call, index) => call === last[index]);
    return isSame ? last : (last = found);
  }

  const changes$ = withBelow(
    log.view((state) => state),
    tree,
  );
  return { approvals$: current(changes$, getApprovals), getApprovals };
}
