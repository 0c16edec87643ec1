import { AgentError, toAgentError } from '../core/error.ts';
import type { Ports } from '../core/ports.ts';
import type { HostPages } from './host-pages.ts';

/** The keys of a worker. Invariant: they are in memory alone, and no verb of the worker returns one. */
export interface KeyRing {
  /** Returns what a client takes as `apiKey`. */
  keyOf(name: string): (origin: string) => Promise<string>;
  forget(): void;
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
  let kept = new Map<string, string>();

  return {
    keyOf: (name) => async (origin) => {
      const place = `${name} ${origin}`;
      const has = ({ keys }: { readonly keys: readonly string[] }): boolean => keys.includes(name);
      const asker = kept;
      const known = asker.get(place);
      if (known !== undefined && !pages.all().some(has)) return known;
      const page = await pages
        .find(has, { ms, late: `No page is open that has the key ${JSON.stringify(name)}.` })
        .catch((thrown: unknown) => {
          throw new AgentError(toAgentError(thrown).message, { code: 'AUTHENTICATION_LOCKED', cause: thrown });
        });
      const asked = page.channel.ask('key', { name, origin });
      let cancelTimer = (): void => {};
      const late = new Promise<string>((resolve) => {
        if (known !== undefined) cancelTimer = ports.delay(() => resolve(known), patience);
      });
      try {
        const key = await Promise.race([asked, late]);
        // Invariant: `forget` wins over a key that was on its way.
        asker.set(place, key);
        return key;
      } catch (thrown) {
        const error = toAgentError(thrown);
        // The page was closed while it was asked.
        if (error.code === 'STREAM_INTERRUPTED' && known !== undefined) return known;
        asker.delete(place);
        throw error;
      } finally {
        cancelTimer();
      }
    },
    forget: () => void (kept = new Map()),
  };
}
