import { type FunctionComponent, lazy, type LazyExoticComponent } from 'react';

const loaders: (() => Promise<unknown>)[] = [];
let isPreloading = false;

/** Loads something with the rooms. */
export function alsoPreload(load: () => Promise<unknown>): void {
  // A room within a room is known when the outer one has been loaded.
  if (isPreloading) load().catch(ignore);
  else loaders.push(load);
}

/** Returns a part of the page that is loaded when it is first shown, or when the page has nothing else to do. */
export function room<Props>(
  load: () => Promise<FunctionComponent<Props>>,
): LazyExoticComponent<FunctionComponent<Props>> {
  alsoPreload(load);
  return lazy(async () => ({ default: await load() }));
}

declare global {
  interface Navigator {
    /** Chromium only. */
    readonly connection?: { readonly saveData?: boolean };
  }
}

/** Loads all rooms when the page has nothing else to do, so that each opens at once. A person who saves data loads each as it is opened. */
export function preloadRooms(): void {
  if (navigator.connection?.saveData) return;
  whenIdle(() => {
    isPreloading = true;
    for (const load of loaders.splice(0)) load().catch(ignore);
  });
}

/** A room that cannot be loaded says so when it is opened. */
function ignore(): void {}

/** Calls `act` in idle time. Safari has no idle callbacks. */
function whenIdle(act: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(act, { timeout: 5_000 });
  else setTimeout(act, 2_000);
}
