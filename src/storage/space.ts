/** How much an origin stores and may store. Both are the browser's estimates, in bytes, for the whole origin. */
export interface Space {
  /** Bytes stored. */
  readonly usage: number;
  /** Bytes that may be stored. */
  readonly quota: number;
  /** Whether the browser has agreed not to erase the origin's data by itself. */
  readonly isPersistent: boolean;
}

/**
 * Asks the browser not to erase this origin's data when space gets short. Some browsers ask the person, others decide by
 * themselves; call it just after the person has made something worth keeping.
 *
 * @returns `false` where the browser refuses or has no such permission; never rejects
 */
export async function keepStorage(): Promise<boolean> {
  try {
    return (await storage()?.persist?.()) ?? false;
  } catch {
    return false;
  }
}

/** Returns how much this origin stores, or `undefined` where the browser does not report it. Never rejects. */
export async function estimateSpace(): Promise<Space | undefined> {
  try {
    const { usage, quota } = (await storage()?.estimate?.()) ?? {};
    if (usage === undefined || quota === undefined) return undefined;
    return { usage, quota, isPersistent: (await storage()?.persisted?.()) ?? false };
  } catch {
    return undefined;
  }
}

/** Missing on pages without HTTPS, and incomplete in some browsers. */
function storage(): Partial<StorageManager> | undefined {
  return globalThis.navigator?.storage;
}
