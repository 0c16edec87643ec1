import { childrenOf } from '../model/children.ts';
import type { SessionStore } from '../model/store.ts';
import type { Agent } from './agent.ts';
import type { Removals } from './removals.ts';

export interface TreeRemovalOptions {
  readonly store: SessionStore | undefined;
  readonly removals: Removals;
  /** Returns the sessions that calls of a session in memory have started. */
  readonly childrenInMemory: (sessionId: string) => readonly string[];
  /** Removes a session from memory. Returns whether it was there. */
  readonly unload: (sessionId: string) => boolean;
  /** A session was removed, or brought back. */
  readonly onChange: (sessionId: string, isRemoved: boolean) => void;
  /** The store has removed a session, or has failed to. */
  readonly onEnd: (sessionId: string) => void;
}

/** Returns the verbs that remove a session together with all that its calls have started, and that bring them back. */
export function createTreeRemoval(options: TreeRemovalOptions): Pick<Agent, 'removeSession' | 'restoreSession'> {
  const { store, removals, onChange } = options;

  function removeSession(sessionId: string): boolean {
    const children = options.childrenInMemory(sessionId);
    const wasHere = options.unload(sessionId);
    onChange(sessionId, true);
    const below = wasHere || store === undefined ? undefined : childrenIn(store, sessionId);
    removals.remove(sessionId, below, () => options.onEnd(sessionId));
    children.forEach(removeSession);
    void below?.then((ids) => ids.forEach(removeSession));
    return wasHere;
  }

  async function restoreSession(sessionId: string): Promise<boolean> {
    const isRestored = await removals.restore(sessionId);
    const ids = isRestored ? await childrenIn(store, sessionId) : [];
    await Promise.all(ids.map(restoreSession));
    if (isRestored) onChange(sessionId, false);
    return isRestored;
  }

  return { removeSession, restoreSession };
}

/**
 * Resolves with the ids of the sessions that calls of a stored session have started; with none where it cannot be read. The log is read only
 * where the row states that there are such sessions.
 */
async function childrenIn(store: SessionStore | undefined, sessionId: string): Promise<readonly string[]> {
  const row = await store?.read(sessionId, { after: Number.MAX_SAFE_INTEGER }).catch(() => undefined);
  if (row?.summary.children === undefined) return [];
  const stored = await store?.read(sessionId).catch(() => undefined);
  return stored ? childrenOf(stored.events) : [];
}
