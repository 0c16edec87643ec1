/** What runs in this page while the browser has no locks, by name. */
const running = new Map<string, Promise<unknown>>();

/**
 * Runs `work` alone among all tabs of the origin that use the same name; among the calls of this page where the browser has no locks. Rejects with
 * the reason of the signal where it aborts before `work` begins.
 */
export async function withLock<Value>(name: string, signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
  const locks = globalThis.navigator?.locks;
  if (locks) return await locks.request(`brooklet-workspace/${name}`, { signal }, work);
  const before = running.get(name) ?? Promise.resolve();
  const own = unlessAborted(before, signal).then(work);
  // The next one also waits for those before this one, which may have left the queue.
  const settled = Promise.allSettled([before, own]);
  running.set(name, settled);
  try {
    return await own;
  } finally {
    void settled.then(() => running.get(name) === settled && running.delete(name));
  }
}

/** Waits for a promise that never rejects. Rejects when the signal aborts. */
function unlessAborted(before: Promise<unknown>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason);
    signal.addEventListener('abort', leave);
    void before.then(() => {
      signal.removeEventListener('abort', leave);
      if (signal.aborted) leave();
      else resolve();
    });
  });
}
