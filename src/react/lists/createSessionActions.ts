import type { Agent } from '../../core/agent/agent.ts';
import { type AgentError, fail, toAgentError } from '../../core/error.ts';
import type { JsonObject } from '../../core/json.ts';
import type { SessionStore } from '../../core/model/store.ts';
import type { ExportOptions } from '../../storage/files/export.ts';
import type { ImportOptions, ImportReport } from '../../storage/files/import.ts';
import { fromFile, toFile } from './sessionFiles.ts';

/** What `useSessions` can do with stored sessions. No function throws or rejects: a failure is the `error` of the hook. */
export interface SessionActions {
  /** Cancels the run of the session, and removes the session from memory and store. */
  readonly remove: (sessionId: string) => void;
  /** Undoes a removal, while the store still can. */
  readonly restore: (sessionId: string) => void;
  readonly rename: (sessionId: string, title: string) => Promise<void>;
  /**
   * Merges fields into the page's own data of a session; `null` removes a field. For example, pins a session:
   * `setMetadata(id, { pinned: true })`, and lists the pinned ones: `useSessions({ where: { pinned: true } })`.
   */
  readonly setMetadata: (sessionId: string, change: JsonObject) => Promise<void>;
  /** Resolves with sessions as one file, JSON Lines; without `sessionIds` all of them. Resolves with `undefined` after a failure. */
  readonly exportSessions: (options?: ExportOptions) => Promise<Blob | undefined>;
  /** Imports a file of `exportSessions`, or with `dryRun` only reports. Resolves with `undefined` after a failure. */
  readonly importSessions: (file: string | Blob, options?: ImportOptions) => Promise<ImportReport | undefined>;
}

/** @param setError receives the failure of the last action, and `undefined` when an action begins */
export function createSessionActions(agent: Agent, setError: (error: AgentError | undefined) => void): SessionActions {
  async function attempt<T>(action: () => Promise<T>): Promise<T | undefined> {
    setError(undefined);
    try {
      return await action();
    } catch (thrown) {
      setError(toAgentError(thrown));
      return undefined;
    }
  }

  function storeOfAgent(): SessionStore {
    return agent.store ?? fail('INVALID_CONFIG', 'The agent has no store: pass createAgent({ store }).');
  }

  return {
    remove(sessionId) {
      agent.removeSession(sessionId);
      void attempt(() => agent.removed(sessionId));
    },
    restore: (sessionId) => void attempt(() => agent.restoreSession(sessionId)),
    rename: (sessionId, title) => attempt(async () => (await agent.openSession(sessionId)).rename(title)),
    setMetadata: (sessionId, change) =>
      attempt(async () => {
        const session = await agent.openSession(sessionId);
        session.setMetadata(merge(session.getState().metadata, change));
      }),
    exportSessions: (options) => attempt(async () => toFile(storeOfAgent(), options)),
    importSessions: (file, options) => attempt(async () => fromFile(storeOfAgent(), file, options)),
  };
}

function merge(before: JsonObject | undefined, change: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value !== null));
}
