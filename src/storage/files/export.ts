import { type AgentError, toAgentError } from '../../core/error.ts';
import type { SessionSummary, SessionStore, StoredSession } from '../../core/model/store.ts';
import { createPauses } from './pause.ts';

/** Version of the file format; each event has its own version. */
export const formatVersion = 1;

/** The first line of each session in a file. */
export interface ExportHeader {
  readonly format: 'brooklet';
  /** Version of the file format. */
  readonly version: number;
  /** The session's summary, for people. An import computes its own from the events. */
  readonly head: SessionSummary;
}

/** Returns one session as JSON Lines: a header, then one line per event. Equal sessions result in equal strings. */
export function exportSession(stored: StoredSession): string {
  return [...linesOf(stored)].join('');
}

/** Options of `exportAll`. */
export interface ExportOptions {
  /** Sessions to export, in this order. Default: all. */
  readonly sessionIds?: readonly string[];
  /** Called for each session that cannot be read (`error`) or does not exist (`undefined`); the others are exported. */
  readonly onSkip?: (sessionId: string, error: AgentError | undefined) => void;
}

/**
 * Yields sessions as JSON Lines in pieces, with pauses so that the page stays responsive: put the pieces into a `Blob`.
 *
 * Rejects with the store's AgentError where the list cannot be read.
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

/** Yields every session once. A changed session moves to the front of the list and may be missed there, so the list is read until nothing is new. */
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
