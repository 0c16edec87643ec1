import { type Ports, unref } from '../core/ports.ts';
import { adoptDataKey, rootOf } from './data-key.ts';
import type { HandedKey } from './vault-key.ts';

/** The tabs of one origin that unlock and lock a vault together. */
export interface VaultTabs {
  /** Notes that a person has unlocked the vault here, and hands its key to the other tabs. */
  opened(): void;
  /** Locks the other tabs. */
  locked(): void;
  /** Reports a use of the keys to the other tabs, at most once a second. */
  used(): void;
  /** Reports to the other tabs how long keys stay unlocked without a use. */
  timed(ms: number): void;
  /** Returns the key of this tab, to be handed over. */
  getHanded(): HandedKey | undefined;
  /** Takes a key that another tab or worker has handed over. Never rejects. */
  accept(handed: HandedKey): Promise<void>;
  /** Asks the other tabs for the key. Resolves when it was taken, or when no tab has answered in time. */
  ask(): Promise<void>;
  close(): void;
}

interface VaultTabsOptions {
  readonly ports: Pick<Ports, 'now' | 'delay'>;
  /** Returns the key of this tab while its vault is unlocked. */
  readonly getOpen: () => Pick<HandedKey, 'dataKey' | 'usedAt' | 'autoLock'> | undefined;
  /** Takes a key. Resolves with whether it opens what is stored. Never rejects. */
  readonly take: (handed: HandedKey) => Promise<boolean>;
  /** Locks this tab. */
  readonly lock: () => void;
  /** Notes a use in another tab. */
  readonly onUse: (at: number) => void;
  /** Notes that another tab has changed the time without a use. */
  readonly onTime: (ms: number) => void;
}

type Message =
  | { readonly is: 'ask' }
  | (HandedKey & { readonly is: 'key' })
  | { readonly is: 'locked'; readonly at: number }
  | { readonly is: 'used'; readonly at: number }
  | { readonly is: 'time'; readonly ms: number };

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
  const { ports, getOpen, take, lock, onUse, onTime } = options;
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

  function getHanded(): HandedKey | undefined {
    const open = getOpen();
    const root = open && rootOf(open.dataKey);
    return open && root && { ...open, root, openedAt };
  }

  function hand(): void {
    const handed = getHanded();
    if (handed) post({ is: 'key', ...handed });
  }

  async function accept(handed: HandedKey): Promise<void> {
    if (getOpen() || handed.openedAt <= lockedAt) return;
    adoptDataKey(handed.dataKey, handed.root);
    if (!(await take(handed))) return;
    openedAt = handed.openedAt;
    // A lock may have come meanwhile.
    if (openedAt <= lockedAt) lock();
    answer();
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
      case 'time':
        onTime(message.ms);
        return;
      case 'key':
        await accept(message);
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
    timed: (ms) => post({ is: 'time', ms }),
    getHanded,
    accept,
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
  const { is, dataKey, root, openedAt, usedAt, autoLock, at, ms } = fieldsOf(value);
  if (is === 'key') {
    const isTimed = isTime(openedAt) && isTime(usedAt) && (autoLock === undefined || isSpan(autoLock));
    return isSecret(dataKey, 'AES-GCM') && isSecret(root, 'HKDF') && isTimed;
  }
  if (is === 'time') return isSpan(ms);
  return is === 'ask' || ((is === 'locked' || is === 'used') && isTime(at));
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

const isTime = (value: unknown): boolean => Number.isFinite(value);
const isSpan = (value: unknown): boolean => typeof value === 'number' && value > 0;

function isSecret(value: unknown, algorithm: string): boolean {
  return value instanceof CryptoKey && !value.extractable && value.algorithm.name === algorithm;
}
