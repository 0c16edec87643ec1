import { type AgentError, toAgentError } from '../../core/error.ts';
import type { SessionSummary, SessionStore, StoredSession } from '../../core/model/store.ts';
import { createPauses } from './pause.ts';

/** Version of the file format; that of the events is in each of them. */
export const formatVersion = 1;

/** First line of each session in a file. */
export interface ExportHeader {
  readonly format: 'brooklet';
  readonly version: number;
  /** What a list would show. An import makes its own of the events. */
  readonly head: SessionSummary;
}

/** One session as JSONL: a header, then one event a line. Equal sessions give equal bytes. */
export function exportSession(stored: StoredSession): string {
  return [...linesOf(stored)].join('');
}

export interface ExportOptions {
  /** Default: all. */
  readonly sessionIds?: readonly string[];
  /** Told of sessions that cannot be read, or have gone meanwhile; the others are exported. */
  readonly onSkip?: (sessionId: string, error: AgentError | undefined) => void;
}

/**
 * Sessions as JSONL, piece by piece, so that the page stays alive: put the pieces into a `Blob`.
 *
 * @throws AgentError when the list cannot be read
 */
export async function* exportAll(
  store: SessionStore,
  { sessionIds, onSkip }: ExportOptions = {},
): AsyncGenerator<string, void> {
  const pauses = createPauses();
  for await (const id of sessionIds ?? idsOf(store)) {
    const stored = await store.read(id).catch((thrown: unknown) => toAgentError(thrown, 'STORAGE_FAILED'));
    if (stored === undefined || stored instanceof Error) {
      onSkip?.(id, stored);
      continue;
    }
    let piece = '';
    for (const line of linesOf(stored)) {
      piece += line;
      const pause = pauses.spend(line.length);
      if (pause === undefined) continue;
      yield piece;
      piece = '';
      await pause;
    }
    yield piece;
  }
}

function* linesOf({ summary, events }: StoredSession): Generator<string, void> {
  const header: ExportHeader = { format: 'brooklet', version: formatVersion, head: summary };
  yield `${JSON.stringify(header)}\n`;
  for (const event of events) yield `${JSON.stringify(event)}\n`;
}

/** Every session once. A session that changes moves to the front of the list and may be missed there: so look until nothing is new. */
async function* idsOf(store: SessionStore): AsyncGenerator<string, void> {
  const known = new Set<string>();
  for (let before = -1; before < known.size;) {
    before = known.size;
    let cursor: string | undefined;
    do {
      const page = await store.list({ limit: 500, ...(cursor !== undefined && { cursor }) });
      for (const { id } of page.sessions) {
        if (known.has(id)) continue;
        known.add(id);
        yield id;
      }
      ({ cursor } = page);
    } while (cursor !== undefined);
  }
}
