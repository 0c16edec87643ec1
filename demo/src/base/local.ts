/** Reads localStorage; `null` if the key is missing, or if the browser blocks the storage. The page works without it. */
export function readLocal(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Writes localStorage; `undefined` removes the key. */
export function writeLocal(key: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // A browser that blocks the storage keeps no settings.
  }
}
