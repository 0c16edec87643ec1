import { Subscription } from 'rxjs';
import { defined } from '../json.ts';
import type { SessionState } from '../model/state.ts';
import type { SessionStore, SessionSummary } from '../model/store.ts';
import { toSummary } from '../model/summary.ts';
import type { Ports } from '../ports.ts';
import { readWaitingRows, type WaitingRows } from '../session/waiting-rows.ts';
import type { PendingCall } from './agent.ts';

/** What an agent knows of the waiting calls of stored sessions that are not in memory. Nothing is read without a subscriber. */
export interface StoredPending {
  /** Returns the calls that were found; none without a subscriber. */
  getCalls(): readonly PendingCall[];
  /** Follows the store until the subscription ends. */
  watch(): Subscription;
  /** Notes the state with which a session has left the memory; `undefined` for one that was removed. What was read before does not count. */
  leave(sessionId: string, state?: SessionState): void;
}

interface StoredPendingOptions {
  readonly store: SessionStore | undefined;
  readonly ports: Ports;
  readonly isInMemory: (sessionId: string) => boolean;
  /** Whether the session is being removed from the store. */
  readonly isRemoving: (sessionId: string) => boolean;
  readonly onChange: () => void;
}

export function createStoredPending(options: StoredPendingOptions): StoredPending {
  const { store, ports, isInMemory, isRemoving, onChange } = options;
  /** The rows that the last read has found. */
  let rows: readonly SessionSummary[] = [];
  /** What has become known since the last read began. */
  const news = new Map<string, { readonly row: SessionSummary | undefined }>();
  let watchers = 0;
  let watching = new Subscription();
  let reading: WaitingRows | undefined;

  function start(watched: SessionStore): void {
    const own = new Subscription();
    watching = own;
    own.add(
      watched.changes$.subscribe((id) => {
        // The row of a session in memory is not shown: what it changes is known.
        if (!isInMemory(id)) reading?.refresh();
      }),
    );
    own.add(() => {
      reading?.stop();
      reading = undefined;
      rows = [];
      news.clear();
    });
    reading = readWaitingRows({ store: watched, ports, onRead });
  }

  /** What is known as a read begins counts no longer once the read has ended: the read has seen it. */
  function onRead(): (found: readonly SessionSummary[]) => void {
    const seen = new Map(news);
    return (found) => {
      rows = found;
      for (const [id, one] of seen) if (news.get(id) === one) news.delete(id);
      onChange();
    };
  }

  return {
    getCalls() {
      const known = rows.filter(({ id }) => !news.has(id));
      const left = Array.from(news.values()).flatMap(({ row }) => row ?? []);
      return [...left, ...known].filter(({ id }) => !isInMemory(id) && !isRemoving(id)).flatMap(callsIn);
    },
    watch() {
      if (store && watchers++ === 0) start(store);
      return new Subscription(() => {
        if (store && --watchers === 0) watching.unsubscribe();
      });
    },
    leave(sessionId, state) {
      if (watchers === 0) return;
      news.set(sessionId, { row: state && toSummary(state) });
      reading?.refresh();
    },
  };
}

/** Returns the calls that a row states; where it does not list them, one entry for the session. */
function callsIn({ id, title, path, status, waiting, updatedAt }: SessionSummary): readonly PendingCall[] {
  const place = { sessionId: id, title, ...defined({ path }) };
  const known = waiting?.map((call) => ({ isOpen: false, ...place, ...call }) as const);
  return known ?? (status === 'waiting' ? [{ isOpen: false, ...place, requestedAt: updatedAt }] : []);
}
