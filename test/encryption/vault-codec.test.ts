import 'fake-indexeddb/auto';
import { createAgent, type SessionStore } from 'brooklet';
import { createVaultCodec } from 'brooklet/encryption';
import { createVault, type Vault, type VaultOptions } from 'brooklet/keys';
import { createIndexedDBStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeOf } from '../storage/raw.ts';

const passphrase = 'correct horse battery';

let name: string;
let vaults: Vault[];
let stores: SessionStore[];

beforeEach(() => {
  name = `sessions-${crypto.randomUUID()}`;
  [vaults, stores] = [[], []];
});

afterEach(async () => {
  for (const store of stores) store.close();
  await Promise.all(vaults.map((vault) => vault.dispose()));
});

/** Opens the vault and the store of a tab. */
function openTab(options: VaultOptions = {}) {
  const vault = createVault({ name: `${name}-keys`, ...options });
  const store = createIndexedDBStore({ name, codec: createVaultCodec(vault) });
  vaults.push(vault);
  stores.push(store);
  return { vault, store };
}

const locked = { code: 'STORAGE_LOCKED', type: 'STORAGE', retryable: true };

describe('a store with the codec of a vault', () => {
  test('reads after a reload what it wrote before, once the vault is unlocked', async () => {
    const { vault, store } = openTab();
    await vault.protect(passphrase);
    await store.write(writeOf('a', 0, 1, 2));
    const later = openTab();
    await expect(later.store.read('a')).rejects.toMatchObject(locked);
    await expect(later.store.list()).rejects.toMatchObject(locked);
    await expect(later.store.list({ search: 'text' })).rejects.toMatchObject(locked);
    await later.vault.unlock(passphrase);
    expect(await later.store.read('a')).toEqual(await store.read('a'));
  });

  test('reads with a new passphrase what it wrote with the former one', async () => {
    const { vault, store } = openTab();
    await vault.protect(passphrase);
    await store.write(writeOf('a', 0, 1));
    await vault.changePassphrase(passphrase, 'another passphrase');
    const later = openTab();
    await later.vault.unlock('another passphrase');
    expect((await later.store.read('a'))?.events).toHaveLength(1);
  });

  test('asks once for all that waits for the key', async () => {
    const { vault, store } = openTab();
    await vault.protect(passphrase);
    for (const id of ['a', 'b', 'c']) await store.write(writeOf(id, 0, 1));
    let asked = 0;
    const later = openTab({
      onLocked: async () => {
        asked++;
        await later.vault.unlock(passphrase);
      },
    });
    const [page, session] = await Promise.all([later.store.list(), later.store.read('a')]);
    expect(page.sessions.map(({ title }) => title)).toEqual(['c', 'b', 'a']);
    expect(session?.events).toHaveLength(1);
    expect(asked).toBe(1);
  });

  test('stores nothing while the vault has no passphrase, and says what to do', async () => {
    const { store } = openTab({ onLocked: () => expect.unreachable('there is nothing to unlock') });
    const message = expect.stringContaining('call protect');
    await expect(store.write(writeOf('a', 0, 1))).rejects.toMatchObject({ ...locked, message });
    expect((await store.list()).sessions).toEqual([]);
  });

  test('counts as a use of the vault, which locks itself some time after the last write', async () => {
    let time = 0;
    const ports = { now: () => time, delay: () => () => {} };
    const { vault, store } = openTab({ autoLock: 1_000, ports });
    await vault.protect(passphrase);
    for (let seq = 1; seq < 4; seq++) {
      time += 900;
      await store.write(writeOf('a', seq - 1, seq));
    }
    time += 1_000;
    await expect(store.read('a')).rejects.toMatchObject(locked);
    await expect(store.write(writeOf('a', 3, 4))).rejects.toMatchObject(locked);
  });

  test('refuses an object that is no vault', () => {
    const { vault } = openTab();
    expect(() => createVaultCodec({ ...vault })).not.toThrow();
    const { state$, getState, ...rest } = vault;
    const copy: Vault = { state$, getState, ...JSON.parse(JSON.stringify(rest)) };
    expect(() => createVaultCodec(copy)).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }));
  });
});

describe('a session of a vault that is locked meanwhile', () => {
  test('keeps what a person sends and the reply, and stores both when the vault is unlocked', async () => {
    const { vault, store } = openTab();
    await vault.protect(passphrase);
    const client = createScriptedClient([[reply.text('one')], [reply.text('two')]]);
    const agent = createAgent({ client, store });
    const session = agent.getSession(agent.createSession()) ?? expect.unreachable();
    await session.send('first');
    await session.flushed();

    vault.lock();
    await session.send('second');
    await expect(session.flushed()).rejects.toMatchObject(locked);
    expect(session.getStorage()).toMatchObject({ state: 'failed', error: { code: 'STORAGE_LOCKED' } });
    expect(session.getMessages().map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);

    await vault.unlock(passphrase);
    await session.flushed();
    const later = openTab();
    await later.vault.unlock(passphrase);
    const stored = await later.store.read(session.id);
    expect(stored?.damage).toBeUndefined();
    expect(stored?.summary.seq).toBe(session.getState().seq);
    expect(stored?.summary.messageCount).toBe(4);
    await agent.dispose();
  });
});
