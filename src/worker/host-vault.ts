import type { Subscription } from 'rxjs';
import { toAgentError } from '../core/error.ts';
import { when } from '../core/log/current.ts';
import type { Ports } from '../core/ports.ts';
import type { SharedVaultKey } from '../keys/vault-key.ts';
import type { Vault } from '../keys/vault-types.ts';
import type { HostPages } from './host-pages.ts';
import { sharedKeyOf } from './shared-vault.ts';

/** The vault of a worker's agent: unlocked and locked with those of the pages. */
export interface HostVault {
  /** Uses this vault from now on. @throws AgentError `INVALID_CONFIG` */
  use(vault: Vault | undefined): void;
  /** The last page is gone: the keys are dropped once no run needs them. */
  left(): void;
  /** Forgets the keys in this worker. */
  drop(): void;
}

interface HostVaultOptions {
  readonly pages: HostPages;
  readonly ports: Pick<Ports, 'delay'>;
  /** ms that a locked vault waits for a page. */
  readonly ms: number;
  readonly isRunning: () => boolean;
  /** Resolves when what runs have done is stored, or cannot be. */
  readonly stored: () => Promise<void>;
  /** Called when the vault is locked or erased. */
  readonly onLocked: () => void;
}

/** ms without a page after which keys are dropped: a reload takes less. */
const grace = 5_000;

/**
 * Invariant: without a page, the keys are kept for runs that are under way alone. After their end the vault is locked, as the last page without a
 * worker leaves it.
 */
export function createHostVault({ pages, ports, ms, isRunning, stored, onLocked }: HostVaultOptions): HostVault {
  let used: { readonly vault: Vault; readonly key: SharedVaultKey } | undefined;
  let following: Subscription | undefined;
  let cancelTimer = (): void => {};

  const isLocked = (): boolean => used?.vault.getState().status !== 'open';

  /** Lets a page unlock the vault. Resolves also where it has not: what needs the key fails then, as in a page. */
  async function ask({ vault, key }: NonNullable<typeof used>): Promise<void> {
    const late = 'No page is open that can unlock the conversations.';
    for (;;) {
      const asking = new AbortController();
      const isOpen = when(vault.state$, ({ status }) => status === 'open').then(() => undefined);
      const asked = (async () => {
        const page = await pages.find(({ hasVault }) => hasVault, { ms, late, signal: asking.signal });
        try {
          return { handed: await page.channel.ask('unlock', null, { signal: asking.signal }) };
        } catch (thrown) {
          // The next page is asked.
          return page.channel.isClosed() ? 'gone' : Promise.reject(toAgentError(thrown));
        }
      })().catch(() => undefined);
      const answer = await Promise.race([asked, isOpen]);
      asking.abort();
      if (answer === 'gone') continue;
      if (answer?.handed) await key.take(answer.handed);
      return;
    }
  }

  async function look(): Promise<void> {
    if (pages.all().length > 0 || isLocked()) return;
    if (!isRunning()) {
      await stored();
      if (pages.all().length === 0 && !isRunning()) return used?.key.drop();
    }
    left();
  }

  function left(): void {
    cancelTimer();
    cancelTimer = ports.delay(() => void look(), grace);
  }

  return {
    use(vault) {
      if (vault === undefined || vault === used?.vault) return;
      const its = { vault, key: sharedKeyOf(vault) };
      used = its;
      its.key.follow(() => ask(its));
      let wasOpen = false;
      following?.unsubscribe();
      following = vault.state$.subscribe(({ status }) => {
        if (wasOpen && status !== 'open') onLocked();
        wasOpen = status === 'open';
      });
    },
    left,
    drop: () => used?.key.drop(),
  };
}
