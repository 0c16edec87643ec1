import type { AgentSession } from 'brooklet';
import { useObservable } from 'brooklet/react';
import type { ReactElement } from 'react';
import { useTexts } from '../texts/useTexts.ts';

/** Marks the place of the last compaction: the model knows the messages above by a summary only. */
export function CompactionMarker({ session }: { readonly session: AgentSession }): ReactElement | null {
  const { locale, context: words, common } = useTexts();
  const compaction = useObservable(session.context$, () => session.getContext()?.compactions.at(-1));
  if (compaction === undefined) return null;
  const { tokens, summary, compactionId } = compaction;
  return (
    <div className="compaction-marker">
      <details>
        <summary>{words.marker(tokens.before.toLocaleString(locale), tokens.after.toLocaleString(locale))}</summary>
        <p>{summary}</p>
        <button type="button" className="quiet" onClick={() => session.restoreContext(compactionId)}>
          {common.undo}
        </button>
      </details>
    </div>
  );
}
