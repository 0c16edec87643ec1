import type { ContextReport } from '../core/context/report.ts';
import type { AgentSession } from '../core/session/session.ts';
import { useObservable } from './useObservable.ts';

/**
 * Returns the content of the next request by zone, with its tokens: see `AgentSession.context$`. `undefined` until the counting code is
 * loaded, and where neither the agent nor the session uses the context options.
 */
export function useContextReport(session: AgentSession | undefined): ContextReport | undefined {
  return useObservable(session?.context$, () => session?.getContext());
}
