import { useMemo } from 'react';
import { callsAwaitingApproval } from '../core/model/status.ts';
import type { ToolPart } from '../core/model/message.ts';
import type { AgentSession } from '../core/session/session.ts';
import { keepSame } from './keepSame.ts';
import { useObservable } from './useObservable.ts';

const none: readonly ToolPart[] = [];

/** The calls of a session that wait for a decision, in the order in which they were asked for. */
export function useApprovals(session: AgentSession | undefined): readonly ToolPart[] {
  const toHeld = useMemo(() => keepSame(callsAwaitingApproval), []);
  return useObservable(session?.state$, () => (session === undefined ? none : toHeld(session.getState())));
}
