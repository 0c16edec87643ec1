import type { OpenSession, ReviewedSession } from '../../../review/index.ts';

/** A session that is being read, is read, or cannot be. */
interface Opening {
  /** Stays when the session is removed later. */
  readonly session?: ReviewedSession;
  /** Why there is no session. */
  readonly error?: unknown;
}

/** The sessions of a tree that are open, for `useSyncExternalStore`. */
export interface Openings {
  /** Without a listener no session is followed. */
  readonly subscribe: (onChange: () => void) => () => void;
  /** Returns the open sessions by their ids: another map when something has changed. */
  readonly getAll: () => ReadonlyMap<string, Opening>;
  /** Opens these sessions, and closes the others. */
  readonly show: (ids: readonly string[]) => void;
}

/** Creates the open sessions of a tree; none at first. */
export function createOpenings(openSession: OpenSession | undefined): Openings {
  const listeners = new Set<() => void>();
  const followed = new Map<string, { unsubscribe: () => void }>();
  let wanted: readonly string[] = [];
  let all: ReadonlyMap<string, Opening> = new Map();

  function set(id: string, opening: Opening | undefined): void {
    const next = new Map(all);
    if (opening) next.set(id, opening);
    else next.delete(id);
    all = next;
    for (const listener of listeners) listener();
  }

  function follow(id: string): void {
    if (followed.has(id) || openSession === undefined) return;
    // Before the first emission, which may be at once.
    followed.set(id, { unsubscribe: () => {} });
    const onError = (error: unknown): void => set(id, { ...all.get(id), error });
    try {
      const subscription = openSession(id).subscribe({ next: (session) => set(id, { session }), error: onError });
      followed.set(id, subscription);
    } catch (error) {
      onError(error);
    }
  }

  /** Closes what is not wanted, and opens what is. */
  function update(): void {
    const open = listeners.size > 0 ? wanted : [];
    for (const [id, subscription] of followed) {
      if (open.includes(id)) continue;
      subscription.unsubscribe();
      followed.delete(id);
      // A page that listens again goes on where it was.
      if (!wanted.includes(id)) set(id, undefined);
    }
    for (const id of open) follow(id);
  }

  return {
    subscribe(onChange) {
      listeners.add(onChange);
      update();
      return () => {
        listeners.delete(onChange);
        update();
      };
    },
    getAll: () => all,
    show(ids) {
      wanted = ids;
      update();
    },
  };
}
