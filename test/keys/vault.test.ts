import 'fake-indexeddb/auto';
import { createAgent, createChatCompletionsClient } from 'brooklet';
import { createVault, type Vault, type VaultOptions } from 'brooklet/keys';
import { openDB } from 'idb';
import { describe, expect, test, vi } from 'vitest';
import { createGate } from '../support/gate.ts';
import { setVaults } from '../support/vaults.ts';

const canary = 'sk-canary-0123456789abcdefghij-WXYZ';
const baseURL = 'https://api.example.com/v1';
const origin = 'https://api.example.com';
const passphrase = 'correct horse battery';

const { database, openVault } = setVaults();

async function openProtected(options?: VaultOptions): Promise<Vault> {
  const vault = openVault(options);
  await vault.add('example', canary, { baseURL });
  await vault.protect(passphrase);
  return vault;
}

async function statusOf(vault: Vault): Promise<string> {
  await expect.poll(() => vault.getState().status).not.toBe('opening');
  return vault.getState().status;
}

/** All that is in the database, as text: bytes as Latin-1. */
async function diskText(): Promise<string> {
  const db = await openDB(database(), 1);
  const record: unknown = await db.get('vault', 'record');
  db.close();
  return JSON.stringify(record, (_key, value: unknown) =>
    value instanceof ArrayBuffer ? Buffer.from(value).toString('latin1') : value,
  );
}

async function damage(change: (record: Record<string, unknown>) => unknown): Promise<void> {
  const db = await openDB(database(), 1);
  const record: Record<string, unknown> = await db.get('vault', 'record');
  await db.put('vault', change(record), 'record');
  db.close();
}

describe('a key in memory', () => {
  test('is released for its own origin only', async () => {
    const vault = openVault();
    await vault.add('example', canary, { baseURL });
    await expect(vault.keyFor('example')(origin)).resolves.toBe(canary);
    const refused = { code: 'AUTHENTICATION_FAILED', message: expect.not.stringContaining('sk-') };
    await expect(vault.keyFor('example')('https://evil.test')).rejects.toMatchObject(refused);
    await expect(vault.keyFor('other')(origin)).rejects.toMatchObject(refused);
  });

  test('is cleaned of what pasting adds, and shown by its last four characters', async () => {
    const vault = openVault();
    await vault.add('example', ` "Bearer ${canary}"\n`, { baseURL });
    await vault.add('short', 'abcd1234', { baseURL });
    await expect(vault.keyFor('example')(origin)).resolves.toBe(canary);
    expect(vault.getState()).toMatchObject({
      status: 'memory',
      keys: [
        { id: 'example', origin, lastFour: 'WXYZ' },
        { id: 'short', origin },
      ],
      locks: [],
    });
    expect(JSON.stringify(vault.getState())).not.toContain('1234');
    expect(JSON.stringify(vault.getState())).not.toContain(canary.slice(0, -4));
  });

  test('is gone with the page', async () => {
    await openVault().add('example', canary, { baseURL });
    const later = openVault();
    expect(await statusOf(later)).toBe('memory');
    expect(later.getState().keys).toEqual([]);
  });

  test('stays when the vault is told to lock', async () => {
    const vault = openVault();
    await vault.add('example', canary, { baseURL });
    vault.lock();
    await expect(vault.keyFor('example')(origin)).resolves.toBe(canary);
  });

  test.each([
    ['an empty key', '', baseURL, 'INVALID_INPUT'],
    ['a key with a character that no key has', 'sk-ä', baseURL, 'INVALID_CONFIG'],
    ['an unsafe address', canary, 'http://api.example.com', 'INVALID_CONFIG'],
    ['no address', canary, 'example', 'INVALID_CONFIG'],
  ])('is refused with %s', async (_what, key, address, code) => {
    const vault = openVault();
    const adding = vault.add('example', key, { baseURL: address });
    await expect(adding).rejects.toMatchObject({ code, message: expect.not.stringContaining('sk-') });
    expect(vault.getState().keys).toEqual([]);
  });
});

describe('protected keys', () => {
  test('need the passphrase after a reload, and not the key', async () => {
    await openProtected();
    const later = openVault();
    expect(await statusOf(later)).toBe('locked');
    expect(later.getState()).toMatchObject({ keys: [{ id: 'example', origin }], locks: ['passphrase'] });
    expect(later.getState().keys[0]).not.toHaveProperty('lastFour');
    await expect(later.keyFor('example')(origin)).rejects.toMatchObject({ code: 'AUTHENTICATION_LOCKED' });
    await expect(later.add('other', canary, { baseURL })).rejects.toMatchObject({ code: 'AUTHENTICATION_LOCKED' });
    await expect(later.unlock('wrong passphrase')).rejects.toMatchObject({ code: 'AUTHENTICATION_FAILED' });
    expect(later.getState().status).toBe('locked');
    await later.unlock(passphrase);
    expect(later.getState()).toMatchObject({ status: 'open', keys: [{ lastFour: 'WXYZ' }] });
    await expect(later.keyFor('example')(origin)).resolves.toBe(canary);
  });

  test('are nowhere on the disk in plain text', async () => {
    const vault = await openProtected();
    await vault.add('second', `${canary}-2`, { baseURL });
    const text = await diskText();
    expect(text).toContain('https://api.example.com');
    for (const part of [canary, canary.slice(0, 12), 'WXYZ', passphrase, btoa(canary)])
      expect(text).not.toContain(part);
  });

  test('return to the memory of this tab', async () => {
    const vault = await openProtected();
    vault.lock();
    await expect(vault.unprotect()).rejects.toMatchObject({ code: 'AUTHENTICATION_LOCKED' });
    await vault.unlock(passphrase);
    await vault.unprotect();
    expect(vault.getState()).toMatchObject({ status: 'memory', keys: [{ lastFour: 'WXYZ' }], locks: [] });
    await expect(vault.keyFor('example')(origin)).resolves.toBe(canary);
    expect(await diskText()).toBeUndefined();
    const later = openVault();
    expect(await statusOf(later)).toBe('memory');
    expect(later.getState().keys).toEqual([]);
    await vault.protect('another passphrase');
    expect(vault.getState().status).toBe('open');
  });

  test('of another tab are not erased by a tab whose keys are in memory', async () => {
    const other = openVault();
    await other.add('second', `${canary}-2`, { baseURL });
    await openProtected();
    await other.unprotect();
    expect(await statusOf(openVault())).toBe('locked');
  });

  test('are unlocked by another spelling of the same characters', async () => {
    const vault = openVault();
    await vault.add('example', canary, { baseURL });
    await vault.protect('pässwörter');
    vault.lock();
    await vault.unlock('pa\u0308sswo\u0308rter');
    expect(vault.getState().status).toBe('open');
  });

  test('are changed and removed on the disk', async () => {
    const vault = await openProtected();
    await vault.add('second', `${canary}-2`, { baseURL });
    await expect(vault.remove('example')).resolves.toBe(true);
    await expect(vault.remove('example')).resolves.toBe(false);
    const later = openVault();
    await later.unlock(passphrase);
    expect(later.getState().keys.map(({ id }) => id)).toEqual(['second']);
  });

  test('get another passphrase', async () => {
    const vault = await openProtected();
    await expect(vault.changePassphrase('wrong passphrase', 'another passphrase')).rejects.toMatchObject({
      code: 'AUTHENTICATION_FAILED',
    });
    await vault.changePassphrase(passphrase, 'another passphrase');
    const later = openVault();
    await expect(later.unlock(passphrase)).rejects.toMatchObject({ code: 'AUTHENTICATION_FAILED' });
    await later.unlock('another passphrase');
    await expect(later.keyFor('example')(origin)).resolves.toBe(canary);
  });

  test('are erased with forget', async () => {
    const vault = await openProtected();
    await vault.forget();
    expect(vault.getState()).toEqual({ status: 'memory', keys: [], locks: [] });
    expect(await statusOf(openVault())).toBe('memory');
    expect(await diskText()).toBeUndefined();
  });

  test.each(['', 'short', 12345678, undefined])('need a passphrase, which %j is not', async (given) => {
    const passphraseOf = (value: unknown): string => value as string;
    await expect(openVault().protect(passphraseOf(given))).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

describe('locking', () => {
  test('happens after a time without requests', async () => {
    let now = 1_000;
    const timers: { readonly at: number; readonly run: () => void }[] = [];
    const ports = {
      now: () => now,
      delay(run: () => void, ms: number) {
        const timer = { at: now + ms, run };
        timers.push(timer);
        return () => void timers.splice(timers.indexOf(timer), 1);
      },
    };
    const pass = (ms: number): void => {
      now += ms;
      for (const timer of timers.filter(({ at }) => at <= now)) {
        timers.splice(timers.indexOf(timer), 1);
        timer.run();
      }
    };
    const vault = await openProtected({ autoLock: 60_000, ports });
    pass(40_000);
    await vault.keyFor('example')(origin);
    pass(40_000);
    expect(vault.getState().status).toBe('open');
    pass(20_000);
    expect(vault.getState().status).toBe('locked');
  });

  test('follows another time', async () => {
    let now = 1_000;
    const vault = await openProtected({ autoLock: Infinity, ports: { now: () => now, delay: () => () => {} } });
    now += 60_000;
    vault.setAutoLock(60_001);
    expect(vault.getState().status).toBe('open');
    expect(() => vault.setAutoLock(0)).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }));
    vault.setAutoLock(60_000);
    expect(vault.getState().status).toBe('locked');
  });

  test('counts the time that a computer was asleep', async () => {
    let now = 1_000;
    const vault = await openProtected({ autoLock: 60_000, ports: { now: () => now, delay: () => () => {} } });
    now += 60_000;
    await expect(vault.keyFor('example')(origin)).rejects.toMatchObject({ code: 'AUTHENTICATION_LOCKED' });
  });

  test('lets a request wait for the person', async () => {
    const vault = await openProtected();
    vault.lock();
    const onLocked = vi.fn(() => later.unlock(passphrase));
    const later = openVault({ onLocked });
    await expect(later.keyFor('example')(origin)).resolves.toBe(canary);
    expect(onLocked).toHaveBeenCalledOnce();
  });

  test('fails a run, which continues after unlocking without losing the message', async () => {
    const sent: string[] = [];
    const vault = await openProtected();
    vault.lock();
    const fetchAnswer = vi.fn<typeof fetch>(async (_url, init) => {
      sent.push(new Headers(init?.headers).get('authorization') ?? '');
      const chunk = { choices: [{ index: 0, delta: { content: 'Yes.' }, finish_reason: 'stop' }] };
      return new Response(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`, {
        headers: { 'content-type': 'text/event-stream' },
      });
    });
    const apiKey = vault.keyFor('example');
    const agent = createAgent({
      client: createChatCompletionsClient({ baseURL, model: 'm', apiKey, fetch: fetchAnswer }),
    });
    const session = await agent.openSession(agent.createSession());

    const failed = await session.send('Are you there?');
    expect(failed).toMatchObject({ outcome: 'failed', error: { code: 'AUTHENTICATION_LOCKED' } });
    expect(fetchAnswer).not.toHaveBeenCalled();

    await vault.unlock(passphrase);
    await expect(session.resume()).resolves.toMatchObject({ outcome: 'completed' });
    expect(sent).toEqual([`Bearer ${canary}`]);
    expect(session.getMessages().map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(JSON.stringify(session.getState())).not.toContain(canary);
  });
});

describe('two tabs', () => {
  test('see keys that the other has added, changed or erased', async () => {
    const one = await openProtected();
    const other = openVault();
    await other.unlock(passphrase);
    await one.add('second', `${canary}-2`, { baseURL });
    await expect.poll(() => other.getState().keys.map(({ id }) => id)).toEqual(['example', 'second']);
    await other.add('third', `${canary}-3`, { baseURL });
    await expect.poll(() => one.getState().keys).toHaveLength(3);
    await one.forget();
    await expect.poll(() => other.getState()).toEqual({ status: 'memory', keys: [], locks: [] });
  });

  test('lock each for itself, and a locked one stays locked', async () => {
    const one = await openProtected();
    const other = openVault();
    await other.unlock(passphrase);
    other.lock();
    await one.add('second', `${canary}-2`, { baseURL });
    await expect.poll(() => other.getState().keys).toHaveLength(2);
    expect(other.getState().status).toBe('locked');
    expect(one.getState().status).toBe('open');
  });

  test('change the keys at the same time: the later one is told, and overwrites nothing', async () => {
    const one = await openProtected();
    const other = openVault();
    await other.unlock(passphrase);
    const changes: readonly (readonly [what: string, change: () => Promise<unknown>])[] = [
      ['adds a key', () => one.add('second', `${canary}-2`, { baseURL })],
      ['removes a key', () => one.remove('example')],
      ['changes the passphrase', () => one.changePassphrase(passphrase, 'another passphrase')],
    ];
    for (const [what, change] of changes) {
      const id = `third, while the other tab ${what}`;
      const gate = createGate();
      const isBegun = createGate();
      // The first tab has read the disk, and has not written yet.
      const encrypt = crypto.subtle.encrypt.bind(crypto.subtle);
      const held = vi.spyOn(crypto.subtle, 'encrypt').mockImplementationOnce(async (...args) => {
        isBegun.open();
        await gate.opened;
        return encrypt(...args);
      });
      const late = change();
      const told = late.catch((thrown: unknown) => thrown);
      await isBegun.opened;
      await other.add(id, `${canary}-3`, { baseURL });
      gate.open();
      expect(await told).toMatchObject({ code: 'STORAGE_CONFLICT', retryable: true });
      held.mockRestore();
      const later = openVault();
      await later.unlock(passphrase);
      expect(later.getState().keys.map((key) => key.id)).toEqual(expect.arrayContaining(['example', id]));
    }
    await one.add('second', `${canary}-2`, { baseURL });
    await expect.poll(() => other.getState().keys).toHaveLength(2 + changes.length);
  });

  test('protect at the same time: the later one is told, and keeps its keys in memory', async () => {
    const [one, other] = [openVault(), openVault()];
    await one.add('first', canary, { baseURL });
    await other.add('second', `${canary}-2`, { baseURL });
    const done = await Promise.allSettled([one.protect(passphrase), other.protect('another passphrase')]);
    expect(done.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const [won, lost] = done[0].status === 'fulfilled' ? [one, other] : [other, one];
    expect([won.getState().status, lost.getState().status]).toEqual(['open', 'memory']);
    expect([won.getState().keys, lost.getState().keys].map(({ length }) => length)).toEqual([1, 1]);
  });

  test('protect once: the keys of the second join those of the first', async () => {
    const other = openVault();
    await other.add('second', `${canary}-2`, { baseURL });
    await openProtected();
    await expect(other.protect('another passphrase')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await other.unlock(passphrase);
    expect(other.getState().keys.map(({ id }) => id)).toEqual(['example', 'second']);
    const later = openVault();
    await later.unlock(passphrase);
    expect(later.getState().keys).toHaveLength(2);
  });
});

describe('a damaged vault', () => {
  test.each<readonly [string, (record: Record<string, unknown>) => Record<string, unknown>]>([
    ['is of a newer version', () => ({ version: 99 })],
    [
      'has many locks of a passphrase, each of which takes time',
      (record) => ({ ...record, locks: Array.from({ length: 20 }, () => (record.locks as object[])[0]) }),
    ],
    ...[2 ** 40, 0, -5, 0.5].map(
      (iterations) =>
        [
          `asks for ${iterations} rounds`,
          (record: Record<string, unknown>) => ({
            ...record,
            locks: [{ ...(record.locks as object[])[0], iterations }],
          }),
        ] as const,
    ),
  ])('that %s is locked, says so, and can be erased', async (_what, change) => {
    await openProtected();
    await damage(change);
    const later = openVault();
    expect(await statusOf(later)).toBe('locked');
    await expect(later.unlock(passphrase)).rejects.toMatchObject({ code: 'STORAGE_CORRUPT' });
    await later.forget();
    expect(later.getState().status).toBe('memory');
    await later.add('example', canary, { baseURL });
    await later.protect(passphrase);
  });

  test('whose secrets were exchanged does not open', async () => {
    await openProtected();
    await damage((record) => {
      const { iv, data } = record.secrets as { iv: ArrayBuffer; data: ArrayBuffer };
      return { ...record, secrets: { iv, data: new Uint8Array(data).map((byte) => byte ^ 1).buffer } };
    });
    await expect(openVault().unlock(passphrase)).rejects.toMatchObject({ code: 'STORAGE_CORRUPT' });
  });
});

test('autoLock is checked', () => {
  for (const autoLock of [0, -1, Number.NaN])
    expect(() => createVault({ autoLock })).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }));
});
