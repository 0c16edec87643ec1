/** What `connectAgent` passes to the function that starts the worker: spread it into the options of the constructor. */
export interface WorkerNaming {
  /** Names the worker: by the name and build of the page, and by the lifetime. */
  readonly name: string;
  /** Whether the worker may outlive the last page. Missing where the browser does not know the option. */
  readonly extendedLifetime?: true;
}

/**
 * Whether the browser knows `extendedLifetime`: it reads the option. The reading throws, so that no worker is made.
 * Stable in Chrome and Edge since 148 (May 2026); in November 2026 neither in Firefox (bug 2021443) nor in Safari.
 */
export function canExtendLifetime(): boolean {
  if (typeof SharedWorker === 'undefined') return false;
  let isRead = false;
  const probe: WorkerOptions = {};
  Object.defineProperty(probe, 'extendedLifetime', {
    get() {
      isRead = true;
      throw new TypeError('Only the reading counts.');
    },
  });
  try {
    void new SharedWorker('https://[', probe);
  } catch {
    // By the getter, or by the address.
  }
  return isRead;
}

/**
 * Returns the name and lifetime of the worker. Invariant: workers of different lifetimes have different names. Browsers refuse to connect a page to a
 * worker whose lifetime differs from what the page asks for.
 */
export function nameWorker(group: string, build: string | undefined, isExtended: boolean): WorkerNaming {
  const name = build === undefined ? group : `${group} ${build}`;
  return isExtended ? { name: `${name} extended`, extendedLifetime: true } : { name };
}
