import { openDB } from 'idb';
import { AgentError } from '../../core/error.ts';
import { unheard } from '../disk.ts';
import { type Database, type Schema, schemaVersion, upgrade } from './schema.ts';

/** ms until an open without an answer is given up: Safari may never answer. */
const openTimeout = 5_000;
/** ms for an open whose upgrade has begun: an upgrade takes seconds where there are thousands of sessions. */
const upgradeTimeout = 60_000;

/** One request to open a database. */
export interface Opening {
  /** Resolves with the database, however late the browser answers; rejects with the browser's error. */
  readonly database: Promise<Database>;
  /**
   * Never resolves. Rejects when the browser takes too long: `STORAGE_BLOCKED` where another tab is in the way, else
   * `STORAGE_UNAVAILABLE`.
   */
  readonly timeout: Promise<never>;
}

/** @param warn receives `STORAGE_BLOCKED` as soon as another tab blocks the upgrade */
export function openDatabase(name: string, warn: (warning: AgentError) => void): Opening {
  const deadline = createDeadline(
    openTimeout,
    new AgentError(`The browser does not open the database "${name}". Reload the page.`, {
      code: 'STORAGE_UNAVAILABLE',
    }),
  );

  // Asynchronous so that an error thrown by `indexedDB.open` (no IndexedDB, storage forbidden) becomes a rejection.
  async function open(): Promise<Database> {
    return openDB<Schema>(name, schemaVersion, {
      upgrade(db, from, _to, transaction) {
        deadline.restart(upgradeTimeout);
        // A failed request aborts the transaction, and with it the open.
        unheard([transaction.done, upgrade(db, from, transaction)]);
      },
      blocked() {
        const message = `Another tab has an older version of the database "${name}" open. Reload that tab.`;
        const blocked = new AgentError(message, { code: 'STORAGE_BLOCKED' });
        deadline.setReason(blocked);
        warn(blocked);
      },
    });
  }

  return { database: open().finally(deadline.clear), timeout: deadline.passed };
}

interface Deadline {
  /** Never resolves; rejects with the reason when the time is over. */
  readonly passed: Promise<never>;
  setReason(error: AgentError): void;
  restart(ms: number): void;
  clear(): void;
}

function createDeadline(ms: number, error: AgentError): Deadline {
  let reason = error;
  let reject = (_error: AgentError): void => {};
  const passed = new Promise<never>((_resolve, rejectPassed) => (reject = rejectPassed));
  const start = (time: number): ReturnType<typeof setTimeout> => setTimeout(() => reject(reason), time);
  let timer = start(ms);
  return {
    passed,
    setReason(next) {
      reason = next;
    },
    restart(time) {
      clearTimeout(timer);
      timer = start(time);
    },
    clear: () => clearTimeout(timer),
  };
}
