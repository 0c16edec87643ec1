import { AgentError, type AgentErrorCode, toAgentError } from '../../core/error.ts';
import type { SessionStore } from '../../core/model/store.ts';
import type { Ports } from '../../core/ports.ts';

/** A store whose requests end after some time, and whose failures can be distinguished from those of other stores. */
export interface LimitedStore {
  readonly store: SessionStore;
  /** Whether the store could not be reached or has not answered. */
  isFailure(thrown: unknown): boolean;
}

/** Codes of errors of which some concern one session. */
type Concerning = Extract<
  AgentErrorCode,
  `STORAGE_${string}` | `SESSION_${string}` | `INVALID_${string}` | 'QUOTA_EXCEEDED'
>;

const concernsOne = {
  STORAGE_CONFLICT: true,
  STORAGE_CORRUPT: true,
  STORAGE_REJECTED: true,
  STORAGE_LOCKED: true,
  STORAGE_FAILED: false,
  STORAGE_BLOCKED: false,
  STORAGE_UNAVAILABLE: false,
  QUOTA_EXCEEDED: true,
  SESSION_NOT_FOUND: true,
  SESSION_BUSY: true,
  SESSION_REMOVED: true,
  SESSION_READ_ONLY: true,
  INVALID_REQUEST: true,
  INVALID_INPUT: true,
  INVALID_OUTPUT: true,
  INVALID_CONFIG: true,
} satisfies Record<Concerning, boolean>;

/** Returns whether an error with this code concerns one session, whatever the connection does. */
export function isOfOneSession(code: AgentErrorCode): boolean {
  return isConcerning(code) && concernsOne[code];
}

function isConcerning(code: AgentErrorCode): code is Concerning {
  return Object.hasOwn(concernsOne, code);
}

/** @param ms that one request may take: an answer that comes later is ignored, and the request may have been performed */
export function limit(remote: SessionStore, ms: number, ports: Pick<Ports, 'delay'>): LimitedStore {
  const failures = new WeakSet<AgentError>();

  function within<T>(request: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const cancel = ports.delay(
        () =>
          reject(
            noted(new AgentError(`The remote store has not answered within ${ms} ms.`, { code: 'STORAGE_FAILED' })),
          ),
        ms,
      );
      // The async function turns a synchronous throw into a rejection.
      (async () => request())()
        .finally(cancel)
        .then(resolve, (thrown: unknown) => reject(noted(toAgentError(thrown, 'STORAGE_FAILED'))));
    });
  }

  function noted(error: AgentError): AgentError {
    if (!isOfOneSession(error.code)) failures.add(error);
    return error;
  }

  return {
    isFailure: (thrown) => thrown instanceof AgentError && failures.has(thrown),
    store: {
      changes$: remote.changes$,
      close: () => remote.close(),
      list: (options) => within(() => remote.list(options)),
      read: (id, options) => within(() => remote.read(id, options)),
      write: (write) => within(() => remote.write(write)),
      remove: (id) => within(() => remote.remove(id)),
      wasRemoved: (id) => within(async () => (await remote.wasRemoved?.(id)) ?? false),
    },
  };
}
