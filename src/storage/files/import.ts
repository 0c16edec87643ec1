import { AgentError } from '../../core/error.ts';
import { eventVersion, type EventBody, type SessionEvent } from '../../core/model/event.ts';
import { evolve } from '../../core/model/evolve.ts';
import { fold } from '../../core/model/replay.ts';
import { toSummary } from '../../core/model/summary.ts';
import { initialState, type SessionState } from '../../core/model/state.ts';
import { openCalls } from '../../core/model/status.ts';
import type { SessionStore } from '../../core/model/store.ts';
import { defaultLimits, type ImportLimits } from './limits.ts';
import { parseExport, type ImportProblem, type ParsedSession } from './parse.ts';
import { createPauses } from './pause.ts';

export interface ImportOptions {
  /** What to do with a session whose id is taken. Default `skip`. */
  readonly onConflict?: 'skip' | 'copy' | 'replace';
  /** Only says what would happen. */
  readonly dryRun?: boolean;
  readonly limits?: Partial<ImportLimits>;
  /** Ids for copies. Default: random UUIDs. */
  readonly newId?: () => string;
}

/** What became, or would become, of one session of the file. */
export interface ImportedSession {
  /** As it is in the file. */
  readonly id: string;
  readonly title: string;
  readonly result: 'added' | 'skipped' | 'copied' | 'replaced';
  /** Where it is now. */
  readonly storedAs: string;
}

export interface ImportReport {
  /** In the file. */
  readonly sessions: number;
  /** In the file. */
  readonly events: number;
  /** Where there is any, nothing was written; only when the store refused one session those before it are in. */
  readonly problems: readonly ImportProblem[];
  readonly imported: readonly ImportedSession[];
}

/**
 * Reads a file that `exportSession` or `exportAll` made, or that somebody says they did, and writes it to the store:
 * all of it is looked at first, and each session is written whole or not at all.
 *
 * Nothing in a file can run: a run that it left open is ended, its calls are cancelled, approved or not, what it has queued is
 * dropped, and what it says that a person decided once for all is revoked.
 * Fields that no event has are left out.
 *
 * @throws AgentError when the store cannot even be asked which ids are taken
 */
export async function importSessions(
  store: SessionStore,
  source: string | Blob,
  { onConflict = 'skip', dryRun = false, limits, newId = () => crypto.randomUUID() }: ImportOptions = {},
): Promise<ImportReport> {
  const { sessions, problems } = await parseExport(source, { ...defaultLimits, ...limits });
  const events = sessions.reduce((sum, session) => sum + session.events.length, 0);
  const report = { sessions: sessions.length, events };
  if (problems.length > 0) return { ...report, problems, imported: [] };

  const plans: Plan[] = [];
  for (const session of sessions) plans.push(await plan(session));

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
    }
  }
  return { ...report, problems, imported: plans.map(({ imported }) => imported) };

  async function plan({ id, line, events: parsed }: ParsedSession): Promise<Plan> {
    const taken = await seqOf(store, id);
    const result =
      taken === undefined ? 'added' : ({ skip: 'skipped', copy: 'copied', replace: 'replaced' } as const)[onConflict];
    const storedAs = result === 'copied' ? newId() : id;
    const log = storedAs === id ? parsed : parsed.map((event) => renamed(event, storedAs));
    const state = await foldSlowly(log, storedAs);
    const closing = closingOf(state, newId);
    const summary = toSummary(closing.reduce(evolve, state));
    return {
      line,
      imported: { id, title: summary.title, result, storedAs },
      ...(result !== 'skipped' && {
        async write() {
          if (result === 'replaced' && taken === 'unreadable') await store.remove(id);
          const expectedSeq = result === 'replaced' && typeof taken === 'number' ? taken : 0;
          await store.write({
            sessionId: storedAs,
            expectedSeq,
            ...(expectedSeq > 0 && { replaces: [[0, Number.MAX_SAFE_INTEGER]] }),
            events: [...log, ...closing],
            summary,
            durability: 'relaxed',
            phase: 'settled',
          });
        },
      }),
    };
  }
}

interface Plan {
  readonly line: number;
  readonly imported: ImportedSession;
  /** Missing where nothing is to be done. */
  readonly write?: () => Promise<void>;
}

/** `seq` of the session that has an id, without reading its events. */
async function seqOf(store: SessionStore, sessionId: string): Promise<number | 'unreadable' | undefined> {
  try {
    return (await store.read(sessionId, { after: Infinity }))?.summary.seq;
  } catch (thrown) {
    if (thrown instanceof AgentError && thrown.code === 'STORAGE_CORRUPT') return 'unreadable';
    throw thrown;
  }
}

/** Events folded in one go: a few ms. */
const stride = 2_000;

async function foldSlowly(events: readonly SessionEvent[], sessionId: string): Promise<SessionState> {
  const pauses = createPauses(stride);
  let state = initialState(sessionId);
  for (let from = 0; from < events.length; from += stride) {
    state = fold(events.slice(from, from + stride), state);
    await pauses.spend(stride);
  }
  return state;
}

function renamed(event: SessionEvent, sessionId: string): SessionEvent {
  return event.type === 'session.started' ? { ...event, sessionId } : event;
}

/** What ends a run that the file left open, its calls, and what else would have had its effect later. */
function closingOf(state: SessionState, newId: () => string): readonly SessionEvent[] {
  const { run, seq, updatedAt: at } = state;
  const isRunning = run !== undefined && run.outcome === undefined;
  const runId = isRunning ? run.id : newId();
  const bodies: EventBody[] = [];
  // A run that begins cancels what earlier ones left.
  if (!isRunning && openCalls(state).length > 0) bodies.push({ type: 'run.started', runId });
  if (isRunning || bodies.length > 0) bodies.push({ type: 'run.ended', runId, outcome: 'cancelled' });
  // Nor does the file say what is asked next, or that a person need not be asked.
  for (const { message } of state.queue) bodies.push({ type: 'message.unqueued', messageId: message.id });
  for (const { name } of state.approvalRules) bodies.push({ type: 'rule.revoked', name });
  return bodies.map((body, index) => ({ ...body, seq: seq + 1 + index, at, v: eventVersion }));
}
