import { AgentError } from '../core/error.ts';
import type { SessionEvent } from '../core/model/event.ts';
import type { SessionStore } from '../core/model/store.ts';
import { lineageOf } from '../core/model/write-id.ts';

/** Reads after this `seq` are reads of the whole log. */
const none = -1;

/**
 * Returns a function that resolves with a stored log as it is at the time of the call. A call after the first reads only the events after
 * the last one that it knows, and the last run again when that run has ended: its writer has then stored it in fewer events.
 *
 * Rejects with `SESSION_NOT_FOUND`, and with the `AgentError` of the store.
 */
export function createLogReader(
  store: Pick<SessionStore, 'read'>,
  sessionId: string,
): () => Promise<readonly SessionEvent[]> {
  let known: readonly SessionEvent[] = [];
  let lineage: string | undefined;

  async function readAfter(after: number): Promise<readonly SessionEvent[]> {
    const stored = await store.read(sessionId, { after });
    if (!stored) throw new AgentError(`The store has no session ${sessionId}.`, { code: 'SESSION_NOT_FOUND' });
    const { events, summary, writeId } = stored;
    // Another log, or one whose events were joined across this place.
    const isOther =
      lineageOf(writeId) !== lineage || summary.seq < after || events.some(({ seq, since = seq }) => since <= after);
    const begin = beginOfOpenRun(known);
    if (after >= begin && (isOther || events.some(({ type }) => type === 'run.ended'))) return readAfter(begin - 1);
    if (after > none && isOther) return readAfter(none);
    lineage = lineageOf(writeId);
    return (known = [...known.filter(({ seq }) => seq <= after), ...events]);
  }

  return () => readAfter(known.at(-1)?.seq ?? none);
}

/** Returns the `seq` of the first event of the run that has not ended; `Infinity` where every run has. */
export function beginOfOpenRun(events: readonly SessionEvent[]): number {
  const last = events.findLast(({ type }) => type === 'run.started' || type === 'run.ended');
  return last?.type === 'run.started' ? last.seq : Infinity;
}
