import type { AgentSession } from 'brooklet';
import { useObservable } from 'brooklet/react';
import type { ReactElement } from 'react';

/** Id of the message at which the model's sight begins, if something before it is folded. */
export function firstSeenId(session: AgentSession): string | undefined {
  const folded = session.getContext()?.foldedMessages ?? 0;
  return folded === 0 ? undefined : session.getMessages()[folded]?.id;
}

/** Stands where the model's sight begins: what came before it knows as a summary only. */
export function FoldMarker({ session }: { readonly session: AgentSession }): ReactElement | null {
  const fold = useObservable(session.context$, () => session.getContext()?.compactions.at(-1));
  if (fold === undefined) return null;
  const { tokens, summary, compactionId } = fold;
  return (
    <li className="fold-marker">
      <details>
        <summary>
          For the model, everything above is summed up: {tokens.before.toLocaleString('en')} →{' '}
          {tokens.after.toLocaleString('en')} tokens
        </summary>
        <p>{summary}</p>
        <button type="button" className="quiet" onClick={() => session.restoreContext(compactionId)}>
          Undo
        </button>
      </details>
    </li>
  );
}
