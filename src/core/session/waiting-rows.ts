import { eventVersion } from '../model/event.ts';
import type { SessionStore, SessionSummary } from '../model/store.ts';
import { waitsForPerson } from '../model/summary.ts';
import { mostWaiting, type WaitingCall } from '../model/waiting.ts';
import { upcastLog } from '../model/upcast.ts';
import { waitingIn } from '../model/waiting-in.ts';
import type { Ports } from '../ports.ts';

/** ms between two reads: a reply that streams in another tab changes its session ten times a second. */
const pause = 300;
/** ms until a read that failed is repeated, doubled up to the second number: the store may be locked. */
const [firstRetry, lastRetry] = [1_000, 30_000];
/** Limits of a read, for a store that does not know the filter, or has very many sessions that wait. */
const [rowsPerPage, mostPages] = [100, 10];
/** Sessions of older versions that are read for their calls, and events that are read of each. */
const [mostFilled, lastEvents] = [20, 300];

/** Reads the rows of the stored sessions that wait, again and again. */
export interface WaitingRows {
  /** Reads the rows at once, or where they were just read, after a pause. */
  refresh(): void;
  stop(): void;
}

export interface WaitingRowsOptions {
  readonly store: SessionStore;
  readonly ports: Pick<Ports, 'delay'>;
  /** Called when a read begins. Returns what is called with the rows that it found. */
  readonly onRead: () => (rows: readonly SessionSummary[]) => void;
}

/** Begins with a read. A read that fails changes nothing, and is repeated. */
export function readWaitingRows({ store, ports, onRead }: WaitingRowsOptions): WaitingRows {
  const fill = createFilling(store);
  let failures = 0;
  let isBusy = false;
  let isDue = false;
  let isStopped = false;
  let cancel = (): void => {};

  async function read(): Promise<void> {
    isBusy = true;
    isDue = false;
    const take = onRead();
    try {
      const rows = await fill(await listWaiting(store));
      failures = 0;
      if (!isStopped) take(rows);
    } catch {
      isDue = true;
      failures++;
    }
    if (isStopped) return;
    const ms = failures === 0 ? pause : Math.min(lastRetry, firstRetry * 2 ** (failures - 1));
    cancel = ports.delay(() => {
      isBusy = false;
      if (isDue) void read();
    }, ms);
  }

  void read();
  return {
    refresh() {
      if (isBusy) isDue = true;
      else if (!isStopped) void read();
    },
    stop() {
      isStopped = true;
      cancel();
    },
  };
}

async function listWaiting(store: SessionStore): Promise<readonly SessionSummary[]> {
  // A session that changes meanwhile may be on two pages.
  const rows = new Map<string, SessionSummary>();
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const { sessions, cursor: next } = await store.list({
      waiting: true,
      limit: rowsPerPage,
      ...(cursor !== undefined && { cursor }),
    });
    for (const row of sessions) if (waitsForPerson(row)) rows.set(row.id, row);
    cursor = next;
    if (cursor === undefined) break;
  }
  return Array.from(rows.values());
}

/** Returns the function that adds the waiting calls to rows of older versions, by the ends of their logs; each log is read once. */
function createFilling(store: SessionStore): (rows: readonly SessionSummary[]) => Promise<readonly SessionSummary[]> {
  const known = new Map<string, readonly WaitingCall[] | undefined>();

  async function callsOf({ id, seq }: SessionSummary): Promise<readonly WaitingCall[] | undefined> {
    const key = `${seq} ${id}`;
    if (!known.has(key)) {
      if (known.size >= mostFilled) return undefined;
      known.set(key, undefined);
      const calls = await readEnd(store, id, seq).catch(() => []);
      known.set(key, calls.length > 0 ? calls.slice(0, mostWaiting) : undefined);
    }
    return known.get(key);
  }

  return async (rows) => {
    const filled: SessionSummary[] = [];
    for (const row of rows) {
      const waiting = row.waiting ?? (await callsOf(row));
      filled.push(waiting ? { ...row, waiting } : row);
    }
    return filled;
  };
}

async function readEnd(store: SessionStore, sessionId: string, seq: number): Promise<readonly WaitingCall[]> {
  const { events = [] } = (await store.read(sessionId, { after: Math.max(0, seq - lastEvents) })) ?? {};
  return waitingIn(events.every(({ v }) => v === eventVersion) ? events : upcastLog(events));
}
