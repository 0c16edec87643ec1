/**
 * The run of a session that this tab drove last, remembered across a reload and across a tab that the browser has discarded. Invariant: no
 * other tab, no other device and no imported file has it.
 */
export interface OwnRun {
  get(): string | undefined;
  set(runId: string | undefined): void;
}

type TabStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Where a page has no `sessionStorage` (a worker, storage that is forbidden), the run is forgotten with the page. */
export function createOwnRun(sessionId: string): OwnRun {
  const key = `brooklet:run:${sessionId}`;
  let own = attempt((storage) => storage.getItem(key)) ?? undefined;

  return {
    get: () => own,
    set(runId) {
      if (runId === own) return;
      own = runId;
      attempt((storage) => (runId === undefined ? storage.removeItem(key) : storage.setItem(key, runId)));
    },
  };
}

function attempt<T>(work: (storage: TabStorage) => T): T | undefined {
  try {
    return globalThis.sessionStorage && work(globalThis.sessionStorage);
  } catch {
    // Access is forbidden, or the storage is full.
    return undefined;
  }
}
