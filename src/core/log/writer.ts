import type { Observable } from 'rxjs';
import { createEmitter } from '../emitter.ts';
import { type AgentError, toAgentError } from '../error.ts';
import type { Ports } from '../ports.ts';
import { add, rewrite } from '../model/coalesce.ts';
import { current } from './current.ts';
import { isDelta, type SessionEvent } from '../model/event.ts';
import type { SessionSummary, SessionStore, SessionWrite } from '../model/store.ts';

/** Whether what is on screen is also in the store. */
export type StorageStatus =
  /** There is no store, or one that lasts no longer than the page: the browser gave it no database. */
  | { readonly state: 'memory' }
  | { readonly state: 'saved' }
  | { readonly state: 'saving' }
  /** The session goes on in memory; what is missing is written as soon as the store takes it. */
  | { readonly state: 'failed'; readonly error: AgentError }
  /** Somebody else went on with this session, or the store says so: nothing is written until it has been read again. */
  | { readonly state: 'stale'; readonly error: AgentError }
  /** What is stored of the session cannot be understood, or not all of it: it can be read, exported and removed. */
  | { readonly state: 'read-only'; readonly error: AgentError };

/** Brings a session's events to its store, in groups. */
export interface Writer {
  add(event: SessionEvent): void;
  /** Resolves when everything added so far is in the store; rejects with the store's `AgentError`. */
  flush(durability?: SessionWrite['durability']): Promise<void>;
  /** Begins to write everything within this call: the page may be gone in the next. */
  hurry(): void;
  readonly status$: Observable<StorageStatus>;
  getStatus(): StorageStatus;
  /** `seq` of the last event that is known to be in the store. */
  getStored(): number;
  /** Writes that the store has taken. */
  getWrites(): number;
  /** After `stale`: goes on above the given `seq`, and gives what has not been written. */
  restart(stored: number): readonly SessionEvent[];
  /** Goes on above what another tab has stored beside what goes on here. Gives what has not been written, as it is numbered now. */
  rebase(beside: readonly SessionEvent[], stored: number): readonly SessionEvent[];
  /** Writes nothing any more. */
  close(): void;
}

/** Text waits this long for company, in ms … */
const flushEvery = 100;
/** … or until there is this much of a part, in characters. */
const flushAt = 2_048;
/** ms; doubled with each failure, up to the last. */
const firstRetry = 1_000;
const lastRetry = 30_000;

export interface WriterOptions {
  /** Without one, everything stays in memory. */
  readonly store: SessionStore | undefined;
  /** Why nothing may be written to what is stored; there is no `store` then. */
  readonly damage?: AgentError | undefined;
  readonly sessionId: string;
  /** `seq` of the last event in the store; 0 for a new session. */
  readonly stored: number;
  /** The session's row as of the last event added. */
  readonly summary: () => SessionSummary;
  readonly ports: Pick<Ports, 'delay' | 'onHide'>;
}

/** Whether the list can do without it until the run's next step or end. */
function isStreamed(event: SessionEvent): boolean {
  return isDelta(event) || event.type === 'reply.ended';
}

export function createWriter({ store, damage, sessionId, stored, summary, ports }: WriterOptions): Writer {
  let status: StorageStatus = damage ? { state: 'read-only', error: damage } : { state: store ? 'saved' : 'memory' };
  const statuses = createEmitter<void>();
  let unsent: SessionEvent[] = [];
  /** Whether `unsent` should not wait for its timer. */
  let urgent = false;
  /** `seq` that the store will have when all writes under way are done. */
  let sent = stored;
  let acknowledged = stored;
  let writes = 0;
  let underWay = 0;
  let lastWrite: Promise<void> = Promise.resolve();
  /** What the running run has in the store, to be rewritten when it ends. */
  let written: SessionEvent[] = [];
  let failures: { readonly fresh: readonly SessionEvent[]; readonly expects: number; readonly error: AgentError }[] =
    [];
  let retryIn = firstRetry;
  let callOff: (() => void) | undefined;
  let closed = false;

  function setStatus(next: StorageStatus): void {
    if (next.state === status.state && next.state !== 'failed') return;
    status = next;
    statuses.next();
  }

  function wakeIn(ms: number): void {
    callOff ??= ports.delay(() => {
      callOff = undefined;
      if (underWay === 0) void send('relaxed');
      else urgent = true;
    }, ms);
  }

  /** Starts a write of all that is unsent, in the same turn: the page may be gone in the next. */
  function send(durability: SessionWrite['durability']): Promise<void> {
    if (closed || status.state === 'stale' || unsent.length === 0) return lastWrite;
    callOff?.();
    callOff = undefined;
    const fresh = unsent;
    const ends = fresh.some((event) => event.type === 'run.ended');
    // What a tool does cannot be taken back: that it began has to survive the loss of power, whoever writes it.
    const isClaim = fresh.some((event) => event.type === 'call.started');
    const row = summary();
    const expectedSeq = sent;
    // While another write is under way it is not known what stands in the store: then the pieces stay pieces.
    const content: Pick<SessionWrite, 'events' | 'replaces' | 'phase'> =
      ends && underWay === 0
        ? rewrite(written, fresh)
        : { events: fresh, ...(fresh.every(isStreamed) && { phase: 'streaming' }) };
    unsent = [];
    urgent = false;
    sent = row.seq;
    underWay++;
    lastWrite = attempt({
      sessionId,
      ...content,
      summary: row,
      expectedSeq,
      durability: isClaim ? 'strict' : durability,
    }).then(
      () => {
        acknowledged = row.seq;
        writes++;
        written = ends ? [] : [...written, ...fresh];
        retryIn = firstRetry;
        settle();
      },
      (thrown: unknown) => {
        const error = toAgentError(thrown, 'STORAGE_FAILED');
        failures.push({ fresh, expects: expectedSeq, error });
        settle();
        throw error;
      },
    );
    lastWrite.catch(() => {});
    return lastWrite;
  }

  /** What happens in one turn goes into one write. */
  function sendSoon(): void {
    urgent = true;
    queueMicrotask(() => {
      if (urgent && underWay === 0) void send('relaxed');
    });
  }

  async function attempt(write: SessionWrite): Promise<void> {
    await store?.write(write);
  }

  /** One write less is under way. */
  function settle(): void {
    underWay--;
    if (underWay > 0 || closed) return;
    const [first] = failures;
    if (first !== undefined) {
      unsent = [...failures.flatMap(({ fresh }) => fresh), ...unsent];
      sent = first.expects;
      failures = [];
      if (first.error.code === 'STORAGE_CONFLICT') return setStatus({ state: 'stale', error: first.error });
      setStatus({ state: 'failed', error: first.error });
      wakeIn(retryIn);
      retryIn = Math.min(retryIn * 2, lastRetry);
      return;
    }
    setStatus({ state: unsent.length > 0 ? 'saving' : 'saved' });
    if (urgent) void send('relaxed');
    else if (unsent.length > 0) wakeIn(flushEvery);
  }

  function close(): void {
    closed = true;
    callOff?.();
    stopListening();
  }

  /**
   * One write after the other: of two that are under way, another tab's may stand in for the first, and the second is
   * taken for its sequel. That leaves a page that is about to vanish.
   */
  async function flush(durability: SessionWrite['durability'] = 'relaxed'): Promise<void> {
    if (underWay > 0) await lastWrite.catch(() => {});
    if (status.state === 'stale') throw status.error;
    await send(durability);
  }

  const hurry = (): void => void send('relaxed');
  const stopListening = ports.onHide(hurry);

  return {
    add(event) {
      if (closed || store === undefined) return;
      const last = add(unsent, event);
      if (status.state === 'failed' || status.state === 'stale') return;
      setStatus({ state: 'saving' });
      if (isDelta(last) && last.text.length < flushAt) return wakeIn(flushEvery);
      if (!urgent) sendSoon();
    },
    flush,
    hurry,
    status$: current(statuses.stream$, () => status),
    getStatus: () => status,
    getStored: () => acknowledged,
    getWrites: () => writes,
    restart(seq) {
      const lost = unsent;
      unsent = [];
      urgent = false;
      written = [];
      sent = seq;
      acknowledged = seq;
      lastWrite = Promise.resolve();
      setStatus({ state: 'saved' });
      return lost;
    },
    rebase(beside, seq) {
      const shift = seq - sent;
      unsent = unsent.map((event) => ({ ...event, seq: event.seq + shift }));
      written = [...written, ...beside];
      sent = seq;
      acknowledged = seq;
      lastWrite = Promise.resolve();
      setStatus({ state: unsent.length > 0 ? 'saving' : 'saved' });
      if (unsent.length > 0) sendSoon();
      return unsent;
    },
    close,
  };
}
