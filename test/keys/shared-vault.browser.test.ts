// oxlint-disable unicorn/require-post-message-target-origin -- a channel never leaves its origin
import { createAgent } from 'brooklet';
import { createVaultCodec } from 'brooklet/encryption';
import type { Vault, VaultOptions } from 'brooklet/keys';
import { createIndexedDBStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { setVaults } from '../support/vaults.ts';

const canary = 'sk-canary-0123456789abcdefghij-WXYZ';
const baseURL = 'https://api.example.com/v1';
const origin = 'https://api.example.com';
const passphrase = 'correct horse battery';

const { database, openVault, closeAll } = setVaults({ shared: true });
let wire: BroadcastChannel;
let sent: Record<string, unknown>[];

beforeEach(() => {
  sent = [];
  wire = new BroadcastChannel(`brooklet keys ${database()}`);
  wire.addEventListener('message', ({ data }: MessageEvent<Record<string, unknown>>) => void sent.push(data));
});

afterEach(() => wire.close());

async function openProtected(options?: VaultOptions): Promise<Vault> {
  const vault = openVault(options);
  await vault.add('example', canary, { baseURL });
  await vault.protect(passphrase);
  return vault;
}

const statusOf = (vault: Vault): string => vault.getState().status;

/** Resolves when a vault has a status; the statuses before it are in `seen`. */
async function reach(vault: Vault, status: string, seen: string[] = []): Promise<void> {
  const subscription = vault.state$.subscribe((state) => void seen.push(state.status));
  await expect.poll(() => statusOf(vault)).toBe(status);
  subscription.unsubscribe();
}

/** Lets every message that was sent arrive. */
async function settle(): Promise<void> {
  const probe = new BroadcastChannel(`brooklet keys ${database()}`);
  const mark = crypto.randomUUID();
  probe.postMessage({ is: 'mark', mark });
  await expect.poll(() => sent.some((message) => message.mark === mark)).toBe(true);
  probe.close();
}

const lastKey = (): Record<string, unknown> => {
  const message = sent.findLast(({ is }) => is === 'key');
  if (!message) throw new Error('No key was handed over.');
  return message;
};

function createClock(): Required<NonNullable<VaultOptions['ports']>> & { set(time: number): void } {
  let time = 1_000_000;
  return {
    now: () => time,
    delay: (callback, ms) => {
      const timer = setTimeout(callback, ms > 1_000 ? 2 ** 30 : ms);
      return () => clearTimeout(timer);
    },
    set: (next) => void (time = next),
  };
}

describe('a vault that tabs share', () => {
  test('is unlocked in a new tab while another tab has it unlocked, and never shown as locked there', async () => {
    const first = await openProtected();
    const second = openVault();
    const seen: string[] = [];
    await reach(second, 'open', seen);
    expect(seen).not.toContain('locked');
    await expect(second.keyFor('example')(origin)).resolves.toBe(canary);
    expect(second.getState()).toEqual(first.getState());
  });

  test('is locked in a new tab where no tab has it unlocked', async () => {
    const first = await openProtected();
    first.lock();
    const second = openVault();
    await reach(second, 'locked');
  });

  test('is unlocked in all tabs by the passphrase in one', async () => {
    await (await openProtected()).dispose();
    const [one, other] = [openVault(), openVault()];
    await Promise.all([reach(one, 'locked'), reach(other, 'locked')]);
    await one.unlock(passphrase);
    await reach(other, 'open');
    await other.add('second', `${canary}-2`, { baseURL });
    await expect.poll(() => one.getState().keys.map(({ id }) => id)).toEqual(['example', 'second']);
  });

  test('is unlocked in an empty tab when another one protects its keys', async () => {
    const empty = openVault();
    await reach(empty, 'memory');
    await openProtected();
    await reach(empty, 'open');
  });

  test('is locked in all tabs by one, and unlocked again later', async () => {
    const one = await openProtected();
    const [second, third] = [openVault(), openVault()];
    await Promise.all([reach(second, 'open'), reach(third, 'open')]);
    second.lock();
    await Promise.all([reach(one, 'locked'), reach(third, 'locked')]);
    await expect(one.keyFor('example')(origin)).rejects.toMatchObject({ code: 'AUTHENTICATION_LOCKED' });
    await third.unlock(passphrase);
    await Promise.all([reach(one, 'open'), reach(second, 'open')]);
  });

  test('leaves the keys that are in the memory of a tab where they are', async () => {
    const own = openVault();
    await own.add('own', `${canary}-own`, { baseURL });
    const first = await openProtected();
    await settle();
    expect(statusOf(own)).toBe('memory');
    expect(own.getState().keys.map(({ id }) => id)).toEqual(['own']);
    expect(first.getState().keys.map(({ id }) => id)).toEqual(['example']);
    first.lock();
    await settle();
    await expect(own.keyFor('own')(origin)).resolves.toBe(`${canary}-own`);
  });

  test('opens encrypted conversations in a new tab', async () => {
    const first = await openProtected();
    const name = `sessions-${database()}`;
    const store = createIndexedDBStore({ name, codec: createVaultCodec(first) });
    const agent = createAgent({ client: createScriptedClient([[reply.text('Lutra lutra.')]]), store });
    const session = await agent.openSession(agent.createSession());
    await session.send('Which otter lives here?');
    await agent.dispose();
    const second = openVault();
    const read = await createIndexedDBStore({ name, codec: createVaultCodec(second) }).read(session.id);
    expect(JSON.stringify(read?.events)).toContain('Which otter lives here?');
  });

  test('locks by itself some time after the last use in any tab', async () => {
    const clock = createClock();
    const begin = clock.now();
    const first = await openProtected({ autoLock: 60_000, ports: clock });
    // To open a tab is no use.
    clock.set(begin + 40_000);
    const second = openVault({ autoLock: 60_000, ports: clock });
    await reach(second, 'open');
    clock.set(begin + 60_000);
    second.setAutoLock(60_000);
    expect(statusOf(second)).toBe('locked');
    first.setAutoLock(60_000);
    await first.unlock(passphrase);
    await reach(second, 'open');
    clock.set(begin + 110_000);
    await second.keyFor('example')(origin);
    await settle();
    clock.set(begin + 160_000);
    first.setAutoLock(60_000);
    expect(statusOf(first)).toBe('open');
    clock.set(begin + 171_000);
    first.setAutoLock(60_000);
    expect(statusOf(first)).toBe('locked');
    // Its time is over, too: it hands over nothing.
    await expect(first.keyFor('example')(origin)).rejects.toMatchObject({ code: 'AUTHENTICATION_LOCKED' });
    expect(statusOf(second)).toBe('locked');
  });

  test('is asked for in the other tabs before the person is', async () => {
    const clock = createClock();
    let asked = 0;
    const first = await openProtected({ autoLock: 60_000, ports: clock, onLocked: () => void (asked += 1) });
    const second = openVault({ autoLock: Infinity, ports: clock });
    await reach(second, 'open');
    clock.set(clock.now() + 60_001);
    first.setAutoLock(60_000);
    expect(statusOf(first)).toBe('locked');
    await expect(first.keyFor('example')(origin)).resolves.toBe(canary);
    expect(asked).toBe(0);
  });
});

describe('what the tabs say to each other', () => {
  test('has no key that a script can read, and no passphrase', async () => {
    await openProtected();
    await reach(openVault(), 'open');
    const { dataKey, root, ...times } = lastKey();
    for (const key of [dataKey, root]) {
      if (!(key instanceof CryptoKey)) throw new Error('Not a key of the browser.');
      expect(key.extractable).toBe(false);
      await expect(crypto.subtle.exportKey('raw', key)).rejects.toThrow("'exportKey'");
    }
    expect(Object.keys(times).toSorted()).toEqual(['autoLock', 'is', 'openedAt', 'usedAt']);
    for (const part of [canary, canary.slice(3, 15), passphrase]) expect(JSON.stringify(sent)).not.toContain(part);
  });

  test('a key that was on its way when a person locked does not unlock', async () => {
    const first = await openProtected();
    const second = openVault();
    await reach(second, 'open');
    const late = lastKey();
    first.lock();
    await reach(second, 'locked');
    wire.postMessage(late);
    await settle();
    await second.unprotect().catch(() => {});
    expect([first, second].map(statusOf)).toEqual(['locked', 'locked']);
  });

  test('a tab that got its key from one that had not heard of the lock is locked, too', async () => {
    const first = await openProtected();
    await reach(openVault(), 'open');
    const late = lastKey();
    first.lock();
    await settle();
    // Opened after the lock was said.
    const third = openVault();
    await reach(third, 'locked');
    wire.postMessage(late);
    await reach(third, 'open');
    wire.postMessage(sent.find(({ is }) => is === 'locked'));
    await reach(third, 'locked');
  });

  test('a lock of long ago does not lock what was unlocked since', async () => {
    const first = await openProtected();
    first.lock();
    await settle();
    const lock = sent.find(({ is }) => is === 'locked');
    await first.unlock(passphrase);
    const second = openVault();
    await reach(second, 'open');
    wire.postMessage(lock);
    await settle();
    expect([first, second].map(statusOf)).toEqual(['open', 'open']);
  });

  test('a person unlocks after a lock, also where the clock was set back', async () => {
    const clock = createClock();
    const first = await openProtected({ autoLock: Infinity, ports: clock });
    const second = openVault({ autoLock: Infinity, ports: clock });
    await reach(second, 'open');
    first.lock();
    await reach(second, 'locked');
    clock.set(5);
    await first.unlock(passphrase);
    await reach(second, 'open');
  });

  test.each<readonly [string, () => Promise<unknown>]>([
    ['a text', async () => 'key'],
    ['nothing', async () => null],
    ['a key without its root', async () => ({ ...lastKey(), root: undefined })],
    ['a key without its times', async () => ({ ...lastKey(), openedAt: 'now' })],
    ['a key of another kind', async () => ({ ...lastKey(), dataKey: lastKey().root })],
    [
      'a key that a script can read',
      async () => ({
        ...lastKey(),
        dataKey: await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, true, ['encrypt', 'decrypt']),
      }),
    ],
    [
      'a key that opens nothing here',
      async () => ({
        ...lastKey(),
        dataKey: await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']),
      }),
    ],
  ])('%s unlocks nothing', async (_what, make) => {
    const first = await openProtected();
    await reach(openVault(), 'open');
    await closeAll();
    const locked = openVault();
    await reach(locked, 'locked');
    wire.postMessage(await make());
    await settle();
    await expect(locked.keyFor('example')(origin)).rejects.toMatchObject({ code: 'AUTHENTICATION_LOCKED' });
    await first.dispose();
  });
});
