import type { Usage } from '../core/model/message.ts';
import { noUsage } from '../core/model/state.ts';
import type { AgentSession } from '../core/session/session.ts';
import { useObservable } from './useObservable.ts';

/** Returns the tokens of all replies and compactions of a session together. */
export function useUsage(session: AgentSession | undefined): Usage {
  return useObservable(session?.state$, () => session?.getState().usage ?? noUsage);
}
