/** How much a page stores, and how much it may, in bytes; both are estimates, and belong to the whole origin. */
export interface Space {
  readonly usage: number;
  readonly quota: number;
  /** Whether the browser has promised not to erase it by itself. */
  readonly isPersistent: boolean;
}

/**
 * Asks the browser not to erase what this origin stores when space gets short. Some ask the person, some decide by themselves; best
 * asked when somebody has just made something worth keeping. Gives `false` where it refuses, or cannot be asked.
 */
export async function keepStorage(): Promise<boolean> {
  try {
    return (await storage()?.persist?.()) ?? false;
  } catch {
    return false;
  }
}

/** `undefined` where the browser does not say. */
export async function estimateSpace(): Promise<Space | undefined> {
  try {
    const { usage, quota } = (await storage()?.estimate?.()) ?? {};
    if (usage === undefined || quota === undefined) return undefined;
    return { usage, quota, isPersistent: (await storage()?.persisted?.()) ?? false };
  } catch {
    return undefined;
  }
}

/** Missing on pages without HTTPS, and in some browsers in part. */
function storage(): Partial<StorageManager> | undefined {
  return globalThis.navigator?.storage;
}
