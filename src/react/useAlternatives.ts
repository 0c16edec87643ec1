import { useMemo } from 'react';
import { type Alternatives, alternativesOf } from '../core/model/alternatives.ts';
import type { SessionState } from '../core/model/state.ts';
import type { AgentSession } from '../core/session/session.ts';
import { useObservable } from './useObservable.ts';

/**
 * Returns the versions of the conversation that begin at a message: see `AgentSession.alternatives`. The component is rendered again only
 * when they change.
 *
 *     const { index, count } = useAlternatives(session, message.id);
 *     if (count > 1) return <Stepper label={`${index + 1}/${count}`} onBack={() => selectAlternative(message.id, index - 1)} />;
 */
export function useAlternatives(session: AgentSession | undefined, messageId: string): Alternatives {
  const select = useMemo(() => createSelector(messageId), [messageId]);
  return useObservable(session?.state$, () => (session ? select(session.getState()) : none));
}

const none: Alternatives = { ids: [], index: -1, count: 0 };

/** A snapshot must keep its identity. Invariant: the versions change only together with the alternatives or the place of the message. */
function createSelector(messageId: string): (state: SessionState) => Alternatives {
  let before: Pick<SessionState, 'alternatives'> | undefined;
  let selected = none;
  return (state) => {
    const isKnown = before?.alternatives === state.alternatives && selected.count > 0;
    if (isKnown) return selected;
    before = state;
    const found = alternativesOf(state, messageId);
    const isSame = found.index === selected.index && found.ids.join('\n') === selected.ids.join('\n');
    if (!isSame) selected = found;
    return selected;
  };
}
