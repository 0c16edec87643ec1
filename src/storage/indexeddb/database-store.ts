import type { AgentError } from '../../core/error.ts';
import { createConnection, type ConnectionOptions } from './connection.ts';
import { createMemoryStore } from '../memory.ts';
import { type FallbackStore, withMemoryFallback } from './memory-fallback.ts';
import { createTables } from './tables.ts';

export interface DatabaseStoreOptions extends Omit<ConnectionOptions, 'warn' | 'createVerbs'> {
  readonly onWarning: (warning: AgentError) => void;
}

/** Returns the verbs on IndexedDB, and on memory where the browser opens no database. */
export function createDatabaseStore(
  { onWarning, ...options }: DatabaseStoreOptions,
  createVerbs: ConnectionOptions['createVerbs'] = createTables,
): FallbackStore {
  function warn(warning: AgentError): void {
    try {
      onWarning(warning);
    } catch {
      // An error of the page's callback must not change what the store does.
    }
  }

  return withMemoryFallback(createConnection({ ...options, createVerbs, warn }), createMemoryStore, warn);
}
