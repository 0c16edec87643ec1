import type { StorageStatus } from '../core/model/sync-state.ts';
import type { AgentSession } from '../core/session/session.ts';
import { useObservable } from './useObservable.ts';

/**
 * Returns whether a session is stored, or the result of `select` for that status; `undefined` without a session. Each write changes
 * the status twice (`saving`, `saved`): use the hook in a small component of its own, or select what the component shows. `select` must
 * return the same reference for the same status.
 *
 *     const isStale = useStorageStatus(session, ({ state }) => state === 'stale');
 */
export function useStorageStatus(session: AgentSession | undefined): StorageStatus | undefined;
export function useStorageStatus<T>(
  session: AgentSession | undefined,
  select: (status: StorageStatus) => T,
): T | undefined;
export function useStorageStatus(
  session: AgentSession | undefined,
  select: (status: StorageStatus) => unknown = identity,
): unknown {
  return useObservable(session?.storage$, () => session && select(session.getStorage()));
}

function identity(status: StorageStatus): StorageStatus {
  return status;
}
