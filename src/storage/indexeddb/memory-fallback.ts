import { AgentError } from '../../core/error.ts';
import { delegateVerbs, type StoreVerbs } from '../verbs.ts';
import type { Connection } from './connection.ts';

/** A store that can be in memory although it should outlive the page. */
export interface FallbackStore extends StoreVerbs {
  /** Whether memory has replaced the database, for good. */
  isMemory(): boolean;
  close(): void;
}

/**
 * Replaces a database that the browser does not open (`STORAGE_UNAVAILABLE`) with a store in memory, once and for the
 * life of the page.
 *
 * Invariant: a database that has been open is never replaced. The page may show sessions from it, which memory lacks.
 *
 * @param warn receives the reason, once; must not throw
 */
export function withMemoryFallback(
  database: Connection,
  createMemory: () => StoreVerbs & { close(): void },
  warn: (warning: AgentError) => void,
): FallbackStore {
  let store: StoreVerbs & { close(): void } = database;

  async function attempt<T>(verb: (verbs: StoreVerbs) => Promise<T>): Promise<T> {
    const used = store;
    try {
      // No `await` before: a write in `pagehide` has only this call.
      return await verb(used);
    } catch (thrown) {
      if (used !== database || !isUnavailable(thrown)) throw thrown;
      if (store === database) replaceDatabase(thrown);
      return verb(store);
    }
  }

  function replaceDatabase(reason: AgentError): void {
    if (!database.isUnopened()) throw reason;
    store = createMemory();
    // A database that the browser opens later is closed at once.
    database.close();
    const message = `Sessions cannot be stored: they last only as long as this page. ${reason.message}`;
    warn(new AgentError(message, { code: reason.code, cause: reason }));
  }

  return {
    ...delegateVerbs(attempt),
    isMemory: () => store !== database,
    close: () => store.close(),
  };
}

function isUnavailable(thrown: unknown): thrown is AgentError {
  return thrown instanceof AgentError && thrown.code === 'STORAGE_UNAVAILABLE';
}
