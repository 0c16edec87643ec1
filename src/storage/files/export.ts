import { named } from '../../core/model/shapes/named.ts';
import { type AgentError, fail, toAgentError } from '../../core/error.ts';
import { type Annotation, annotationsKey } from '../../core/model/annotation.ts';
import { parseAnnotations } from '../../core/model/shapes/annotation-shape.ts';
import type { SessionEvent } from '../../core/model/event.ts';
import type { SessionSummary, SessionStore, StoredSession } from '../../core/model/store.ts';
import { childrenOf, parentOf } from '../../core/model/children.ts';
import { foldLog } from '../../core/model/fold.ts';
import { toSummary } from '../../core/model/summary.ts';
import { createMasking, type Masking } from './mask/mask-log.ts';
import type { ExportMask, MaskNotice } from './mask/options.ts';
import { createPauses, type Pauses } from './pause.ts';
import { sessionIds } from './session-ids.ts';

/** Version of the file format; each event has its own version. */
export const formatVersion = 1;

/** The first line of each session in a file. */
export interface ExportHeader {
  readonly format: 'brooklet';
  /** Version of the file format. */
  readonly version: number;
  /** The session's summary, for people. An import computes its own from the events. */
  readonly head: SessionSummary;
  /** What was left out; missing for a complete session. */
  readonly masked?: MaskNotice;
  /** Notes of reviewers; missing where there are none. */
  readonly annotations?: readonly Annotation[];
}

/** Options of `exportSession`. */
export interface ExportSessionOptions {
  /** What to leave out. Default: nothing. With a mask, notes of reviewers are left out as well: they may quote what it hides. */
  readonly mask?: ExportMask;
  /** Notes of reviewers, which the file keeps: `annotations.getList()`. Default: none. */
  readonly annotations?: readonly Annotation[];
}

/**
 * Returns one session as JSON Lines: a header, then one line per event. Equal sessions result in equal strings. With `mask` the file is
 * without what the mask leaves out, its header says so, and it can be imported and reviewed as any other.
 *
 * @throws AgentError `STORAGE_CORRUPT` where a row contains a value that is not JSON; it names the session and the event
 */
export function exportSession(stored: StoredSession, options: ExportSessionOptions = {}): string {
  const { mask, annotations } = named(options, { mask: true, annotations: true }, 'exportSession');
  return [...linesOf(stored, { masking: mask && createMasking(mask), annotations })].join('');
}

/** Options of `exportAll`. */
export interface ExportOptions extends Pick<ExportSessionOptions, 'mask'> {
  /** Sessions to export, in this order, each followed by the sessions that its calls have started. Default: all. */
  readonly sessionIds?: readonly string[];
  /** Called for each session that cannot be read (`error`) or does not exist (`undefined`); the others are exported. */
  readonly onSkip?: (sessionId: string, error: AgentError | undefined) => void;
}

/**
 * Yields sessions as JSON Lines in pieces, with pauses so that the page stays responsive: put the pieces into a `Blob`.
 *
 * Rejects with the store's AgentError where the list cannot be read.
 */
export async function* exportAll(store: SessionStore, options: ExportOptions = {}): AsyncGenerator<string, void> {
  const { sessionIds: ids, onSkip, mask } = named(options, { sessionIds: true, onSkip: true, mask: true }, 'exportAll');
  const masking = mask && createMasking(mask);
  const pauses = createPauses();
  const queue: Link[] = [];
  const done = new Set<string>();
  for await (const { id, parent } of ids === undefined ? toLinks(sessionIds(store)) : withChildren(ids, queue)) {
    if (done.has(id)) continue;
    done.add(id);
    const stored = await store.read(id).catch((thrown: unknown) => toAgentError(thrown, 'STORAGE_FAILED'));
    if (stored === undefined || stored instanceof Error) {
      onSkip?.(id, stored);
      continue;
    }
    // A log from elsewhere may name any session of the store: only what is below by its own path is a part of it.
    if (parent !== undefined && parentOf(stored.events) !== parent) {
      done.delete(id);
      continue;
    }
    if (ids) queue.unshift(...linksOf(id, stored.events));
    const annotations = mask ? [] : await annotationsOf(store, id);
    const pieces = await toPieces(linesOf(stored, { masking, annotations }), pauses).catch((thrown: unknown) =>
      toAgentError(thrown, 'STORAGE_CORRUPT'),
    );
    if (pieces instanceof Error) onSkip?.(id, pieces);
    else yield* pieces;
  }
}

/** A session to export, and the session that names it as its own child. */
export interface Link {
  readonly id: string;
  readonly parent?: string;
}

/** Returns the links to the sessions that the calls of a session have started. */
export function linksOf(parent: string, events: readonly SessionEvent[]): Link[] {
  return childrenOf(events).map((id) => ({ id, parent }));
}

/** Yields the ids, and after each of them what has been added to the queue meanwhile. */
function* withChildren(ids: readonly string[], queue: Link[]): Generator<Link, void> {
  for (const id of ids) {
    queue.push({ id });
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) yield next;
  }
}

async function* toLinks(ids: AsyncIterable<string>): AsyncGenerator<Link, void> {
  for await (const id of ids) yield { id };
}

/** Returns a session in pieces, as a whole: half a session cannot be imported. */
async function toPieces(lines: Iterable<string>, { spend }: Pauses): Promise<readonly string[]> {
  const pieces: string[] = [];
  let piece = '';
  for (const line of lines) {
    piece += line;
    const pause = spend(line.length);
    if (pause === undefined) continue;
    pieces.push(piece);
    piece = '';
    await pause;
  }
  return [...pieces, piece];
}

interface LineOptions {
  /** The same one for all sessions of a file. */
  readonly masking?: Masking | undefined;
  readonly annotations?: readonly Annotation[] | undefined;
  /** What an earlier export has left out. */
  readonly masked?: MaskNotice | undefined;
}

/** Yields the lines of one session, each with its end: see `exportSession`. */
export function* linesOf(stored: StoredSession, options: LineOptions): Generator<string, void> {
  const { masking, annotations = [], masked = masking?.notice } = options;
  const { summary, events } = masking ? withMask(stored, masking) : stored;
  const header: ExportHeader = {
    format: 'brooklet',
    version: formatVersion,
    head: summary,
    ...(masked && { masked }),
    ...(!masking && annotations.length > 0 && { annotations }),
  };
  yield `${JSON.stringify(header)}\n`;
  for (const event of events) {
    try {
      yield `${JSON.stringify(event)}\n`;
    } catch (cause) {
      const message = `Event ${event.seq} of session ${summary.id} is not JSON, so the session cannot be exported: fork the session to continue.`;
      fail('STORAGE_CORRUPT', message, cause);
    }
  }
}

/** The summary is that of the masked log: the title may be the beginning of a masked text. */
function withMask({ summary, events: log }: StoredSession, { maskLog }: Masking): StoredSession {
  const events = maskLog(log);
  const [first] = events;
  const id = first?.type === 'session.started' ? first.sessionId : summary.id;
  return { summary: toSummary(foldLog(id, events)), events };
}

/** Returns the notes of reviewers; none where they cannot be read: the session matters more. */
export async function annotationsOf(
  { meta }: Pick<SessionStore, 'meta'>,
  sessionId: string,
): Promise<readonly Annotation[]> {
  return parseAnnotations(await meta?.get(annotationsKey(sessionId)).catch(() => undefined));
}
