import { readLocal, writeLocal } from './local.ts';

/** Whether stored conversations are encrypted. `encrypting`, `decrypting`: those stored before are changed before the page shows any. */
export type Encryption = 'off' | 'encrypting' | 'on' | 'decrypting';

const key = 'brooklet-studio:encryption';

/** As the page was loaded: a page has one store for its whole life. */
export const encryption = read();

function read(): Encryption {
  const stored = readLocal(key);
  return stored === 'encrypting' || stored === 'on' || stored === 'decrypting' ? stored : 'off';
}

/** Stores the choice for pages that are loaded from now on. The other tabs load again. */
export function storeEncryption(next: Encryption): void {
  writeLocal(key, next === 'off' ? undefined : next);
}

/** Loads the page again when another tab has changed the choice: this page would store the other way. */
export function watchEncryption(): void {
  addEventListener('storage', (event) => {
    if (event.key === key) location.reload();
  });
}
