import type { SessionStore } from 'brooklet';
import type { SyncedStore } from 'brooklet/sync';
import { BehaviorSubject } from 'rxjs';

/** The replica of the device; `undefined` where the device keeps its conversations for itself. */
export const replica$ = new BehaviorSubject<SyncedStore | undefined>(undefined);
export const getReplica = (): SyncedStore | undefined => replica$.value;

/** Ids of the sessions whose run another device has begun, and which waits for a person. */
export const asked = new Set<string>();

/** Returns a store that writes by way of the replica, while there is one. What is stored here is the same with and without it. */
export function createSwitchable(local: SessionStore): SessionStore {
  const store = (): SessionStore => replica$.value ?? local;
  const { locks } = local;
  return {
    ...local,
    write: (write) => store().write(write),
    remove: (id) => store().remove(id),
    restore: async (id) => (await store().restore?.(id)) ?? false,
    ...(locks && {
      locks: {
        acquire: (id, signal) => (store().locks ?? locks).acquire(id, signal),
        take: (id) => (store().locks ?? locks).take(id),
        isHeld: async (id) => (await (store().locks ?? locks).isHeld?.(id)) ?? true,
      },
    }),
  };
}
