/** What runs in this page while the browser has no locks, by name. */
const running = new Map<string, Promise<unknown>>();

/** Runs `work` alone among all tabs of the origin that use the same name; among the calls of this page where the browser has no locks. */
export async function withLock<Value>(name: string, signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
  const locks = globalThis.navigator?.locks;
  if (locks) return await locks.request(`brooklet-workspace/${name}`, { signal }, work);
  const before = running.get(name) ?? Promise.resolve();
  const own = before.then(() => {
    signal.throwIfAborted();
    return work();
  });
  const settled = own.catch(() => {});
  running.set(name, settled);
  try {
    return await own;
  } finally {
    if (running.get(name) === settled) running.delete(name);
  }
}
