import { defer, distinctUntilChanged, map, merge, type Observable, startWith, Subject } from 'rxjs';
import { AgentError, toAgentError } from '../core/error.ts';
import type { Ports } from '../core/ports.ts';
import type { HostPage, HostPages } from './host-pages.ts';
import type { PageKey } from './page-key.ts';

/** The keys of a worker. Invariant: they are in memory alone, and no verb of the worker returns one. */
export interface KeyRing {
  /** Returns what a client takes as `apiKey`. */
  keyOf(name: string): PageKey;
  forget(): void;
}

interface KeyRequest {
  readonly name: string;
  readonly origin: string;
}

/** ms that a page may take to answer before the key that it gave last is used: a page in the background may be frozen. */
const patience = 5_000;

/**
 * A page that has the key is asked for each request, so that a vault that is locked there is locked here. What it answered last serves while no
 * page is open.
 *
 * @param ms that a request waits for a page where the worker has no key
 */
export function createKeyRing(pages: HostPages, ports: Pick<Ports, 'delay'>, ms: number): KeyRing {
  /** What pages have answered: keys by name and origin. */
  let kept = new Map<string, Map<string, string>>();
  const forgotten = new Subject<void>();

  const withKey = (name: string): readonly HostPage[] => pages.all().filter(({ keys }) => keys.includes(name));

  function isLocked(name: string): boolean {
    const owners = withKey(name);
    return owners.length > 0 ? owners.every(({ locked }) => locked.has(name)) : !kept.get(name)?.size;
  }

  const lockedOf = (name: string): Observable<boolean> =>
    defer(() =>
      merge(pages.changes$, forgotten).pipe(
        startWith(undefined),
        map(() => isLocked(name)),
        distinctUntilChanged(),
      ),
    );

  /** Invariant: a page in which the key is locked is asked only where no other page has it unlocked. */
  function findPage(name: string): Promise<HostPage> {
    const unlocked = withKey(name).find(({ locked }) => !locked.has(name));
    if (unlocked) return Promise.resolve(unlocked);
    const late = `No page is open that has the key ${JSON.stringify(name)}.`;
    return pages.find(({ keys }) => keys.includes(name), { ms, late });
  }

  async function release(name: string, origin: string): Promise<string> {
    const asker = kept.get(name) ?? new Map<string, string>();
    kept.set(name, asker);
    for (;;) {
      const known = asker.get(origin);
      if (known !== undefined && withKey(name).length === 0) return known;
      const page = await findPage(name).catch((thrown: unknown) => {
        throw new AgentError(toAgentError(thrown).message, { code: 'AUTHENTICATION_LOCKED', cause: thrown });
      });
      try {
        const key = await ask(page, { name, origin }, known);
        // Invariant: `forget` wins over a key that was on its way.
        asker.set(origin, key);
        return key;
      } catch (thrown) {
        // The page was closed while it was asked: the next one is.
        if (page.channel.isClosed()) continue;
        asker.delete(origin);
        throw thrown;
      }
    }
  }

  /** Resolves with the key that a page answers, or with the known one where the page takes too long. */
  async function ask(page: HostPage, wanted: KeyRequest, known: string | undefined): Promise<string> {
    let cancelTimer = (): void => {};
    const late = new Promise<string>((resolve) => {
      if (known !== undefined) cancelTimer = ports.delay(() => resolve(known), patience);
    });
    try {
      return await Promise.race([page.channel.ask('key', wanted), late]);
    } finally {
      cancelTimer();
    }
  }

  return {
    keyOf: (name) => Object.assign((origin: string) => release(name, origin), { locked$: lockedOf(name) }),
    forget() {
      kept = new Map();
      forgotten.next();
    },
  };
}
