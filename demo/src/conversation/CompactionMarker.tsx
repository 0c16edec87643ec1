import type { AgentSession } from 'brooklet';
import { useObservable } from 'brooklet/react';
import type { ReactElement } from 'react';

/** Returns the id of the first message that the model still sees in full; `undefined` if no message was compacted. */
export function firstSeenId(session: AgentSession): string | undefined {
  const compacted = session.getContext()?.foldedMessages ?? 0;
  return compacted === 0 ? undefined : session.getMessages()[compacted]?.id;
}

/** Marks the place of the last compaction: the model knows the messages above by a summary only. */
export function CompactionMarker({ session }: { readonly session: AgentSession }): ReactElement | null {
  const compaction = useObservable(session.context$, () => session.getContext()?.compactions.at(-1));
  if (compaction === undefined) return null;
  const { tokens, summary, compactionId } = compaction;
  return (
    <li className="compaction-marker">
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
