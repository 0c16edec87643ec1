import { type AgentError, toAgentError } from '../../core/error.ts';
import type { Ports } from '../../core/ports.ts';
import { isOfOneSession } from './limited.ts';
import type { ListChanges } from './compare-lists.ts';
import type { SyncedStoreStatus } from './options.ts';

/** Brings sessions in step one after the other, and waits longer with each failure of the connection. */
export interface Loop {
  /** A session may have changed on either side. */
  poke(sessionId: string): void;
  /** Ends a wait for the next try. */
  retry(): void;
  /** Compares the lists, and brings every session in step. Rejects with what ended the try. */
  sync(): Promise<void>;
  getStatus(): SyncedStoreStatus;
}

export interface LoopOptions {
  readonly ports: Pick<Ports, 'now' | 'delay'>;
  /** Brings one session in step. Resolves with the ms after which text of it is to be sent, if it was postponed. */
  readonly syncOne: (sessionId: string) => Promise<number | undefined>;
  readonly compareLists: () => Promise<ListChanges>;
  readonly onTrouble: (sessionId: string, error: AgentError) => void;
  readonly onStatus: () => void;
  /** Aborts when the replica is closed. */
  readonly signal: AbortSignal;
}

/** ms until the next try; doubled with each failure, up to `lastRetry`. */
const firstRetry = 1_000;
const lastRetry = 30_000;

const inStep: SyncedStoreStatus = { state: 'in-step' };

export function createLoop({ ports, syncOne, compareLists, onTrouble, onStatus, signal }: LoopOptions): Loop {
  /** Sessions to look at, oldest first. A session whose log was never here comes after all others. */
  const queue = new Set<string>();
  const unfetched = new Set<string>();
  let mustList = false;
  let isBusy = false;
  let retryIn = firstRetry;
  let status = inStep;
  let cancelRetry: (() => void) | undefined;
  let working = Promise.resolve();

  function setStatus(next: SyncedStoreStatus): void {
    // The time at which a state began stays while the state lasts.
    if (next.state === status.state) return;
    status = next;
    onStatus();
  }

  function begin(): void {
    if (isBusy || signal.aborted || cancelRetry !== undefined) return;
    isBusy = true;
    working = work();
  }

  async function work(): Promise<void> {
    if (status.state === 'in-step') setStatus({ state: 'behind', since: ports.now() });
    try {
      while (!signal.aborted && (mustList || queue.size > 0 || unfetched.size > 0)) await step();
      if (signal.aborted) return;
      retryIn = firstRetry;
      setStatus(inStep);
    } catch (thrown) {
      if (signal.aborted) return;
      // Changes on the other side were not reported meanwhile.
      mustList = true;
      setStatus({ state: 'offline', since: ports.now(), error: toAgentError(thrown, 'STORAGE_FAILED') });
      cancelRetry = ports.delay(retry, retryIn);
      retryIn = Math.min(retryIn * 2, lastRetry);
    } finally {
      isBusy = false;
    }
  }

  async function step(): Promise<void> {
    if (mustList) {
      const { changed, added } = await compareLists();
      mustList = false;
      for (const id of changed) queue.add(id);
      for (const id of added) {
        // The store of this device has reported the row as a change.
        queue.delete(id);
        unfetched.add(id);
      }
      return;
    }
    const first = queue.size > 0 ? queue : unfetched;
    for (const id of first) {
      first.delete(id);
      try {
        const later = await syncOne(id);
        if (later !== undefined) ports.delay(() => poke(id), later);
      } catch (thrown) {
        if (signal.aborted) return;
        const error = toAgentError(thrown, 'STORAGE_FAILED');
        if (!isOfOneSession(error.code)) {
          first.add(id);
          throw error;
        }
        onTrouble(id, error);
      }
      return;
    }
  }

  function poke(sessionId: string): void {
    queue.add(sessionId);
    begin();
  }

  function retry(): void {
    cancelRetry?.();
    cancelRetry = undefined;
    begin();
  }

  signal.addEventListener('abort', () => cancelRetry?.());

  return {
    poke,
    retry,
    async sync() {
      mustList = true;
      retry();
      await working;
      if (status.state === 'offline') throw status.error;
    },
    getStatus: () => status,
  };
}
