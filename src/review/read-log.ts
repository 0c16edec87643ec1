import { AgentError } from '../core/error.ts';
import { firstSeq } from '../core/model/coalesce.ts';
import type { SessionEvent } from '../core/model/event.ts';
import type { SessionStore, StoredSession } from '../core/model/store.ts';
import { upcastLog } from '../core/model/upcast.ts';
import { lineageOf } from '../core/model/write-id.ts';

/**
 * Returns a function that resolves with a stored log as it is at the time of the call. A call after the first reads only the events after
 * the last one that it knows, and the last run once more when that run has ended: its writer has then stored it in fewer events.
 *
 * Rejects with `SESSION_NOT_FOUND`, and with the `AgentError` of the store.
 */
export function createLogReader(
  store: Pick<SessionStore, 'read'>,
  sessionId: string,
): () => Promise<readonly SessionEvent[]> {
  let known: readonly SessionEvent[] = [];
  let lineage: string | undefined;

  async function find(after?: number): Promise<StoredSession> {
    const stored = await store.read(sessionId, after === undefined ? undefined : { after });
    if (stored) return stored;
    throw new AgentError(`The store has no session ${sessionId}.`, { code: 'SESSION_NOT_FOUND' });
  }

  function keep(upTo: number, { events }: StoredSession): readonly SessionEvent[] {
    return (known = [...known.filter(({ seq }) => seq <= upTo), ...upcastLog(events)]);
  }

  async function readWhole(): Promise<readonly SessionEvent[]> {
    const stored = await find();
    lineage = lineageOf(stored.writeId);
    return keep(-1, stored);
  }

  return async () => {
    const last = known.at(-1)?.seq;
    if (last === undefined) return readWhole();
    const added = await find(last);
    const isAnother = lineageOf(added.writeId) !== lineage || added.summary.seq < last;
    const begin = beginOfOpenRun(known);
    const isJoined = added.events.some((event) => firstSeq(event) <= last);
    if (isAnother || (isJoined && begin === undefined)) return readWhole();
    const hasEnded = added.events.some(({ type }) => type === 'run.ended');
    if (begin === undefined || (!isJoined && !hasEnded)) return keep(last, added);
    return keep(begin - 1, await find(begin - 1));
  };
}

/** Returns the `seq` of the first event of the run that has not ended; `undefined` where none is open. */
function beginOfOpenRun(events: readonly SessionEvent[]): number | undefined {
  const last = events.findLast(({ type }) => type === 'run.started' || type === 'run.ended');
  return last?.type === 'run.started' ? last.seq : undefined;
}
