import { type Ports, unref } from '../core/ports.ts';
import { adoptDataKey, rootOf } from './data-key.ts';

/** The key of an unlocked vault, as one tab hands it to another. Both keys are non-extractable: no script can read their bytes. */
interface Handed {
  readonly dataKey: CryptoKey;
  /** ms since the epoch: when a person unlocked the vault. */
  readonly openedAt: number;
  /** ms since the epoch: the last use of the keys, from which `autoLock` counts. */
  readonly usedAt: number;
}

/** The tabs of one origin that unlock and lock a vault together. */
export interface VaultTabs {
  /** Notes that a person has unlocked the vault here, and hands its key to the other tabs. */
  opened(): void;
  /** Locks the other tabs. */
  locked(): void;
  /** Reports a use of the keys to the other tabs, at most once a second. */
  used(): void;
  /** Asks the other tabs for the key. Resolves when it was taken, or when no tab has answered in time. */
  ask(): Promise<void>;
  close(): void;
}

interface VaultTabsOptions {
  readonly ports: Pick<Ports, 'now' | 'delay'>;
  /** Returns the key of this tab while its vault is unlocked. */
  readonly getOpen: () => Pick<Handed, 'dataKey' | 'usedAt'> | undefined;
  /** Takes a key. Resolves with whether it opens what is stored. Never rejects. */
  readonly take: (handed: Handed) => Promise<boolean>;
  /** Locks this tab. */
  readonly lock: () => void;
  /** Notes a use in another tab. */
  readonly onUse: (at: number) => void;
}

type Message =
  | { readonly is: 'ask' }
  | (Handed & { readonly is: 'key'; readonly root: CryptoKey })
  | { readonly is: 'locked'; readonly at: number }
  | { readonly is: 'used'; readonly at: number };

/** ms that a tab waits for the answers of others. */
const patience = 250;
/** ms between two notes of uses. */
const pace = 1_000;

/**
 * Opens the channel of a vault.
 *
 * Invariant: a lock is never undone by a key that was handed over before it. A tab remembers the time of the last lock, and takes keys of a later
 * unlocking only; a tab that receives a lock sends it again, since the tab to which it has just handed its key may have missed it.
 */
export function openVaultTabs(name: string, options: VaultTabsOptions): VaultTabs {
  const { ports, getOpen, take, lock, onUse } = options;
  const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(`brooklet keys ${name}`);
  unref(channel);
  let lockedAt = 0;
  let openedAt = 0;
  let notedAt = 0;
  let asking: Promise<void> | undefined;
  /** Ends the wait for an answer. */
  let answer = (): void => {};

  function post(message: Message): void {
    try {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel never leaves its origin
      channel?.postMessage(message);
    } catch {
      // A browser that cannot clone a key to another tab: each tab unlocks by itself.
    }
  }

  function hand(): void {
    const open = getOpen();
    const root = open && rootOf(open.dataKey);
    if (open && root) post({ is: 'key', ...open, root, openedAt });
  }

  function pass(at: number): void {
    lockedAt = Math.max(lockedAt, at);
    if (openedAt > lockedAt || !getOpen()) return;
    lock();
    post({ is: 'locked', at });
  }

  async function receive(message: Message): Promise<void> {
    switch (message.is) {
      case 'ask':
        hand();
        return;
      case 'used':
        onUse(message.at);
        return;
      case 'locked':
        pass(message.at);
        return;
      case 'key': {
        const { dataKey, root, usedAt } = message;
        if (getOpen() || message.openedAt <= lockedAt) return;
        adoptDataKey(dataKey, root);
        const isTaken = await take({ dataKey, openedAt: message.openedAt, usedAt });
        if (!isTaken) return;
        openedAt = message.openedAt;
        // A lock may have come meanwhile.
        if (openedAt <= lockedAt) lock();
        answer();
      }
    }
  }

  channel?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (isMessage(data)) void receive(data);
  });

  return {
    opened() {
      // Invariant: later than every lock that this tab knows, also where the clock was set back.
      openedAt = Math.max(ports.now(), lockedAt + 1);
      hand();
    },
    locked() {
      lockedAt = Math.max(ports.now(), openedAt);
      post({ is: 'locked', at: lockedAt });
    },
    used() {
      const at = ports.now();
      if (Math.abs(at - notedAt) < pace) return;
      notedAt = at;
      post({ is: 'used', at });
    },
    async ask() {
      if (!channel) return;
      asking ??= new Promise<void>((resolve) => {
        const stop = ports.delay(resolve, patience, true);
        answer = () => {
          stop();
          resolve();
        };
        post({ is: 'ask' });
      });
      await asking;
      asking = undefined;
    },
    close() {
      answer();
      channel?.close();
    },
  };
}

function isMessage(value: unknown): value is Message {
  const { is, dataKey, root, openedAt, usedAt, at } = fieldsOf(value);
  if (is === 'key') return isSecret(dataKey, 'AES-GCM') && isSecret(root, 'HKDF') && isTime(openedAt) && isTime(usedAt);
  return is === 'ask' || ((is === 'locked' || is === 'used') && isTime(at));
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

const isTime = (value: unknown): boolean => Number.isFinite(value);

function isSecret(value: unknown, algorithm: string): boolean {
  return value instanceof CryptoKey && !value.extractable && value.algorithm.name === algorithm;
}
