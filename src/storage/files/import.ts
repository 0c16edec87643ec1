import { named } from '../../core/model/shapes/named.ts';
import { AgentError } from '../../core/error.ts';
import { type Annotation, annotationsKey } from '../../core/model/annotation.ts';
import type { SessionEvent } from '../../core/model/event.ts';
import { evolve } from '../../core/model/evolve.ts';
import { toSummary } from '../../core/model/summary.ts';
import type { SessionStore } from '../../core/model/store.ts';
import { toWriteId } from '../../core/model/write-id.ts';
import { browserPorts } from '../../core/ports.ts';
import { foldSlowly } from './fold-slowly.ts';
import { closingOf } from './closing.ts';
import { defaultLimits, type ImportLimits } from './limits.ts';
import { parseExport, type ImportProblem, type ParsedSession } from './parse.ts';
import { createPauses } from './pause.ts';
import { createWatch, type ImportProgress } from './watch.ts';

/** Options of `importSessions`, all optional. */
export interface ImportOptions {
  /** What to do with a session whose id is in use: keep the stored one, store a copy under a new id, or replace it. Default `skip`. */
  readonly onConflict?: 'skip' | 'copy' | 'replace';
  /** Checks the file and reports, and writes nothing. Default `false`. */
  readonly dryRun?: boolean;
  /** Limits of the file, against hostile files. */
  readonly limits?: Partial<ImportLimits>;
  /** Makes the ids of copies. Default: random ids. */
  readonly newId?: () => string;
  /** Cancels the import, which then rejects with `ABORTED`; sessions stored so far are kept. */
  readonly signal?: AbortSignal;
  /** Notified of the progress of a long import, and at the end of each step. */
  readonly onProgress?: (progress: ImportProgress) => void;
}

/** The result for one session of the file; in a dry run, the result that an import would have. */
export interface ImportedSession {
  /** Id in the file. */
  readonly id: string;
  readonly title: string;
  readonly result: 'added' | 'skipped' | 'copied' | 'replaced';
  /** Id in the store. */
  readonly storedAs: string;
}

/** The result of `importSessions`. */
export interface ImportReport {
  /** Number of sessions in the file. */
  readonly sessions: number;
  /** Number of events in the file. */
  readonly events: number;
  /** Where there is one, nothing was written. Exception: if the store refused a session, the sessions before it were written. */
  readonly problems: readonly ImportProblem[];
  /** One result per session, in the order of the file. */
  readonly imported: readonly ImportedSession[];
}

/**
 * Imports a file of `exportSession` or `exportAll` into a store. The file is untrusted: all of it is checked first, and
 * each session is written whole or not at all. A file with errors is reported in `problems`.
 *
 * Nothing in a file can run: an open run is ended, every open call is cancelled, approved or not, no call that was cut off can run again, its queue is
 * emptied, and its approval rules are revoked. Fields that no event has are removed.
 *
 * Rejects with the store's AgentError where the store cannot be asked which ids are in use, and with `ABORTED` when `signal` aborts.
 *
 * @example
 * const report = await importSessions(store, file, { onConflict: 'copy' });
 * for (const { line, field, reason } of report.problems) console.warn(`line ${line}, ${field} ${reason}`);
 */
export async function importSessions(
  store: SessionStore,
  source: string | Blob,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const {
    onConflict = 'skip',
    dryRun = false,
    limits,
    newId = browserPorts.id,
    signal,
    onProgress,
  } = named(
    options,
    { onConflict: true, dryRun: true, limits: true, newId: true, signal: true, onProgress: true },
    'importSessions',
  );
  const pauses = createPauses();
  const watch = createWatch(signal, onProgress);
  const { sessions, problems } = await parseExport(source, { ...defaultLimits, ...limits }, { pauses, watch });
  const events = sessions.reduce((sum, session) => sum + session.events.length, 0);
  const report = { sessions: sessions.length, events };
  if (problems.length > 0) return { ...report, problems, imported: [] };

  const plans: Plan[] = [];
  const stored = new Map<string, number | 'unreadable' | undefined>();
  for (const { id } of sessions) stored.set(id, await seqOf(store, id));
  /** The ids of copies by the ids in the file: the sessions of a tree stay together. */
  const copies = new Map<string, string>();
  if (onConflict === 'copy') for (const [id, seq] of stored) if (seq !== undefined) copies.set(id, newId());
  for (const [done, session] of sessions.entries()) {
    plans.push(await plan(session));
    await pauseAfter({ step: 'prepare', done, total: sessions.length });
  }
  watch({ step: 'prepare', done: sessions.length, total: sessions.length });

  if (!dryRun) {
    for (const [index, { line, write }] of plans.entries()) {
      try {
        await write?.();
      } catch (thrown) {
        if (!(thrown instanceof AgentError)) throw thrown;
        const imported = plans.slice(0, index).map((done) => done.imported);
        return {
          ...report,
          problems: [{ line, field: '', reason: `could not be stored: ${thrown.message}` }],
          imported,
        };
      }
      await pauseAfter({ step: 'store', done: index, total: plans.length });
    }
    onProgress?.({ step: 'store', done: plans.length, total: plans.length });
  }
  return { ...report, problems, imported: plans.map(({ imported }) => imported) };

  /** A store that answers at once leaves no time for the page. */
  async function pauseAfter(progress: ImportProgress): Promise<void> {
    const pause = pauses.spend(sessionCost);
    if (pause === undefined) return;
    await pause;
    watch(progress);
  }

  async function plan({ id, line, events: parsed, annotations }: ParsedSession): Promise<Plan> {
    const seq = stored.get(id);
    const result =
      seq === undefined ? 'added' : ({ skip: 'skipped', copy: 'copied', replace: 'replaced' } as const)[onConflict];
    const storedAs = copies.get(id) ?? id;
    const log = copies.size === 0 ? parsed : parsed.map((event) => withIds(event, copies));
    const state = await foldSlowly(log, storedAs, pauses);
    const closing = closingOf(state, newId);
    const summary = toSummary(closing.reduce(evolve, state));
    return {
      line,
      imported: { id, title: summary.title, result, storedAs },
      ...(result !== 'skipped' && {
        async write() {
          if (result === 'replaced' && seq === 'unreadable') await store.remove(id);
          const expectedSeq = result === 'replaced' && typeof seq === 'number' ? seq : 0;
          await store.write({
            sessionId: storedAs,
            expectedSeq,
            // A past that is replaced is another log.
            writeId: toWriteId(browserPorts.id()),
            ...(expectedSeq > 0 && { replaces: [[0, Number.MAX_SAFE_INTEGER]] }),
            events: [...log, ...closing],
            summary,
            durability: 'relaxed',
            phase: 'settled',
          });
          await writeAnnotations(store, storedAs, annotations);
        },
      }),
    };
  }
}

/** Replaces the notes of reviewers: those of an earlier session with this id are not about these events. */
async function writeAnnotations(
  store: SessionStore,
  sessionId: string,
  annotations: readonly Annotation[],
): Promise<void> {
  const notes = annotations.map((one) => ({ ...one }));
  await store.meta?.update(annotationsKey(sessionId), () => (notes.length > 0 ? notes : undefined));
}

interface Plan {
  readonly line: number;
  readonly imported: ImportedSession;
  /** Missing where the session is skipped. */
  readonly write?: () => Promise<void>;
}

/** Resolves with the `seq` of a stored session without reading its events. */
async function seqOf(store: SessionStore, sessionId: string): Promise<number | 'unreadable' | undefined> {
  try {
    return (await store.read(sessionId, { after: Infinity }))?.summary.seq;
  } catch (thrown) {
    if (thrown instanceof AgentError && thrown.code === 'STORAGE_CORRUPT') return 'unreadable';
    throw thrown;
  }
}

/** What a session costs to prepare or to store, in characters as `createPauses` counts them. */
const sessionCost = 5_000;

/** Returns the event with the ids of copies in the place of those in the file. */
function withIds(event: SessionEvent, copies: ReadonlyMap<string, string>): SessionEvent {
  const toId = (id: string): string => copies.get(id) ?? id;
  if (event.type === 'call.started' && event.session !== undefined) return { ...event, session: toId(event.session) };
  if (event.type !== 'session.started') return event;
  const path = event.path?.map((place) => ({ ...place, sessionId: toId(place.sessionId) }));
  return { ...event, sessionId: toId(event.sessionId), ...(path && { path }) };
}
