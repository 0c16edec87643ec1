import { eraseEverything } from 'brooklet/storage';
import { deleteDB } from 'idb';

/** What Studio keeps beside what the package keeps: settings, drafts, skills, and the files of the page for use offline. */
const prefix = 'brooklet-studio:';

/** Erases everything of this page and its packages, in every tab. Resolves with the names of what is left. Never rejects. */
export async function eraseAll(): Promise<readonly string[]> {
  const { left } = await eraseEverything();
  const own = await Promise.all([
    attempt('brooklet-studio-rooms', () => deleteDB('brooklet-studio-rooms')),
    attempt('localStorage', () => clear(localStorage)),
    attempt('sessionStorage', () => clear(sessionStorage)),
    attempt('service worker', removeOfflineFiles),
  ]);
  return [...left.map(({ name }) => name), ...own.flat()];
}

async function attempt(name: string, work: () => unknown): Promise<readonly string[]> {
  try {
    await work();
    return [];
  } catch {
    return [name];
  }
}

function clear(storage: Storage): void {
  for (const key of Object.keys(storage)) if (key.startsWith(prefix)) storage.removeItem(key);
}

/** The next visit installs the worker again. */
async function removeOfflineFiles(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const scope = new URL(import.meta.env.BASE_URL, location.href).href;
  const workers = await navigator.serviceWorker.getRegistrations();
  await Promise.all(workers.filter((worker) => worker.scope === scope).map((worker) => worker.unregister()));
  // Workbox names its caches by the scope of the worker.
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.endsWith(scope)).map((name) => caches.delete(name)));
}
