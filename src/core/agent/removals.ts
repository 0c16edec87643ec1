import type { SessionStore } from '../model/store.ts';

/** The sessions that an agent removes from its store and brings back. */
export interface Removals {
  /** Number of sessions that were brought back: what was read before is older. */
  countRestored(): number;
  isUnderWay(sessionId: string): boolean;
  /** The removal that is under way; `undefined` where there is none. Rejects with the `AgentError` of the store. */
  underWay(sessionId: string): Promise<unknown> | undefined;
  /** Whether a person removed the session. Without a store, or with one that does not remember removals: whether this agent did. */
  wasRemoved(sessionId: string): Promise<boolean>;
  /**
   * @param before what has to be read first: rejects never
   * @param ended called when the store has removed the session, or has failed to; not where there is no store
   */
  remove(sessionId: string, before: Promise<unknown> | undefined, ended: () => void): void;
  /** Resolves with whether the store had a removed session with this id. */
  restore(sessionId: string): Promise<boolean>;
  /** Another session has this id from now on. */
  forget(sessionId: string): void;
}

export function createRemovals(store: SessionStore | undefined): Removals {
  const removing = new Map<string, Promise<unknown>>();
  const removed = new Set<string>();
  let restored = 0;

  return {
    countRestored: () => restored,
    isUnderWay: (sessionId) => removing.has(sessionId),
    underWay: (sessionId) => removing.get(sessionId),
    wasRemoved: async (sessionId) => (await store?.wasRemoved?.(sessionId)) ?? removed.has(sessionId),
    remove(sessionId, before, ended) {
      removed.add(sessionId);
      const begun = before ? before.then(() => store?.remove(sessionId)) : store?.remove(sessionId);
      const removal = begun?.finally(() => {
        removing.delete(sessionId);
        ended();
      });
      removal?.catch(() => {});
      if (removal) removing.set(sessionId, removal);
    },
    async restore(sessionId) {
      await removing.get(sessionId)?.catch(() => {});
      const isRestored = (await store?.restore?.(sessionId)) ?? false;
      if (!isRestored) return false;
      removed.delete(sessionId);
      restored += 1;
      return true;
    },
    forget: (sessionId) => void removed.delete(sessionId),
  };
}
