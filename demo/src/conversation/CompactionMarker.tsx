import type { AgentSession } from 'brooklet';
import { useObservable } from 'brooklet/react';
import type { ReactElement } from 'react';
import { useTexts } from '../texts/useTexts.ts';

/** Returns the id of the first message that the model still sees in full; `undefined` if no message was compacted. */
export function firstSeenId(session: AgentSession): string | undefined {
  const compacted = session.getContext()?.foldedMessages ?? 0;
  return compacted === 0 ? undefined : session.getMessages()[compacted]?.id;
}

/** Marks the place of the last compaction: the model knows the messages above by a summary only. */
export function CompactionMarker({ session }: { readonly session: AgentSession }): ReactElement | null {
  const { locale, context: words } = useTexts();
  const compaction = useObservable(session.context$, () => session.getContext()?.compactions.at(-1));
  if (compaction === undefined) return null;
  const { tokens, summary, compactionId } = compaction;
  return (
    <div className="compaction-marker">
      <details>
        <summary>{words.marker(tokens.before.toLocaleString(locale), tokens.after.toLocaleString(locale))}</summary>
        <p>{summary}</p>
        <button type="button" className="quiet" onClick={() => session.restoreContext(compactionId)}>
          {words.undo}
        </button>
      </details>
    </div>
  );
}
