import { AgentError, type SessionStore, toAgentError } from 'brooklet';
import type { NatsStore } from 'brooklet/nats';
import { BehaviorSubject, type Observable, Subject, Subscription } from 'rxjs';

/** A store on an engine, with its connection. */
export interface OpenedRemote {
  readonly store: NatsStore;
  /** Resolves when the connection is gone for good, with the reason. */
  readonly closed: Promise<AgentError | undefined>;
  close(): void;
}

/** A remote store that is there before its engine. */
export interface Reconnecting extends SessionStore {
  readonly online$: Observable<boolean>;
  readonly meta: NatsStore['meta'];
}

interface ReconnectingOptions {
  /** Rejects with AgentError. */
  readonly open: () => Promise<OpenedRemote>;
  /** Called when the engine refuses the sign-in: no further try. */
  readonly onRefused: (error: AgentError) => void;
}

/** ms until the next try; doubled with each failure, up to `lastRetry`. */
const firstRetry = 1_000;
const lastRetry = 30_000;

/**
 * Returns a store that connects by itself, and again after a failure. Verbs wait for a try that is under way; between two tries they reject
 * with its error.
 */
export function createReconnecting({ open, onRefused }: ReconnectingOptions): Reconnecting {
  const changes = new Subject<string>();
  const online = new BehaviorSubject(false);
  const listening = new Subscription();
  let retryIn = firstRetry;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;
  let opened: Promise<OpenedRemote>;

  function connect(): void {
    clearTimeout(timer);
    timer = undefined;
    opened = open();
    opened.then(use, fail);
  }

  function use(remote: OpenedRemote): void {
    if (isClosed) {
      remote.close();
      return;
    }
    retryIn = firstRetry;
    const own = remote.store.changes$.subscribe((id) => changes.next(id));
    own.add(remote.store.online$.subscribe((isOnline) => online.next(isOnline)));
    listening.add(own);
    void remote.closed.then((reason) => {
      own.unsubscribe();
      if (!isClosed) fail(reason ?? new AgentError('The engine has ended the connection.', { code: 'NETWORK_ERROR' }));
    });
  }

  function fail(thrown: unknown): void {
    if (isClosed) return;
    const error = toAgentError(thrown);
    opened = Promise.reject(error);
    opened.catch(() => {});
    if (online.value) online.next(false);
    if (error.code === 'AUTHENTICATION_FAILED') {
      onRefused(error);
      return;
    }
    timer = setTimeout(connect, retryIn);
    retryIn = Math.min(retryIn * 2, lastRetry);
  }

  /** Ends a wait for the next try. */
  const hurry = (): void => {
    if (timer !== undefined) connect();
  };
  addEventListener('online', hurry);
  listening.add(() => removeEventListener('online', hurry));
  connect();

  const store = async (): Promise<NatsStore> => (await opened).store;
  return {
    online$: online,
    changes$: changes,
    list: async (options) => (await store()).list(options),
    read: async (id, options) => (await store()).read(id, options),
    write: async (write) => (await store()).write(write),
    remove: async (id) => (await store()).remove(id),
    wasRemoved: async (id) => (await store()).wasRemoved(id),
    meta: {
      get: async (key) => (await store()).meta.get(key),
      update: async (key, change) => (await store()).meta.update(key, change),
    },
    locks: {
      acquire: async (id, signal) => (await store()).locks.acquire(id, signal),
      take: async (id) => (await store()).locks.take(id),
      // Rejects while the engine is away: nobody can tell.
      isHeld: async (id) => (await (await store()).locks.isHeld?.(id)) ?? true,
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      listening.unsubscribe();
      opened.then(
        (remote) => remote.close(),
        () => {},
      );
    },
  };
}
