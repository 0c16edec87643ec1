import { BehaviorSubject } from 'rxjs';
import { toScriptURL } from '../base/scriptURL.ts';

const waiting = new BehaviorSubject<ServiceWorker | undefined>(undefined);

/** The new version of the page that waits for the user's consent. */
export const waitingVersion$ = waiting.asObservable();

/** ms between two looks for a new version. */
const hour = 3_600_000;

/** Makes the page work offline, and looks for new versions. Only where the build has a service worker. Never rejects. */
export async function keepOffline(): Promise<void> {
  const hasWorker = document.querySelector('link[rel=manifest]') !== null;
  if (!hasWorker || !('serviceWorker' in navigator)) return;
  try {
    watch(await navigator.serviceWorker.register(toScriptURL(`${import.meta.env.BASE_URL}sw.js`)));
  } catch {
    // A private window, or a browser that blocks storage: the page works, but not offline.
  }
}

/** Starts the new version, and loads the page again with it. Other tabs are loaded again, too. */
export function startVersion(version: ServiceWorker): void {
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
  version.postMessage({ type: 'SKIP_WAITING' }, []);
}

function watch(registration: ServiceWorkerRegistration): void {
  const look = (): void => {
    // Without a controller this is the first visit: there is nothing to update.
    if (navigator.serviceWorker.controller) waiting.next(registration.waiting ?? undefined);
  };
  look();
  registration.addEventListener('updatefound', () => registration.installing?.addEventListener('statechange', look));
  let looked = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || Date.now() - looked < hour) return;
    looked = Date.now();
    // Without a network the next look may succeed.
    registration.update().catch(() => {});
  });
}
