import { cleanup, configure, render, screen, waitFor } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { AgentError } from 'brooklet';
import { createVault, type Vault } from 'brooklet/keys';
import { chinese, UnlockKeys } from 'brooklet/ui';
import { openDB } from 'idb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { brook, canary, field, origin, page, press, showField } from './keyStage.tsx';

// The updates here have their causes in the database, not in `act`.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false });
configure({ asyncUtilTimeout: 15_000 });

const passphrase = 'correct horse battery';

let vaults: Vault[] = [];
afterEach(async () => {
  cleanup();
  await Promise.all(vaults.map((vault) => vault.dispose()));
  vaults = [];
});

async function openVault(name = `key-field-${crypto.randomUUID()}`): Promise<Vault> {
  const vault = createVault({ name });
  vaults.push(vault);
  await expect.poll(() => vault.getState().status).not.toBe('opening');
  return vault;
}

describe('KeyField with a vault', () => {
  const choose = (person: UserEvent, name: string): Promise<void> => person.click(screen.getByRole('radio', { name }));

  it('keeps a key of this tab in the memory of the vault', async () => {
    const vault = await openVault();
    const { person, ready } = showField({ vault });
    await person.type(field(), canary);
    await press(person, 'Use this key');
    await waitFor(() => expect(ready).toHaveLength(1));
    expect(vault.getState()).toMatchObject({ status: 'memory', locks: [], keys: [{ id: origin, origin }] });
    expect(await ready[0]?.apiKey?.(origin)).toBe(canary);
    expect(ready[0]?.keep).toBe('tab');
  });

  it('keeps a key on the device, encrypted, and unlocks it in another tab', async () => {
    const name = `key-field-${crypto.randomUUID()}`;
    const vault = await openVault(name);
    const { person, ready } = showField({ vault });
    await person.type(field(), canary);
    await choose(person, 'this device');
    await person.type(field('New passphrase'), passphrase);
    await person.type(field('Repeat the passphrase'), passphrase);
    await press(person, 'Use this key');
    expect(await screen.findByText('Stored encrypted on this device, ends in WXYZ')).toBeTruthy();
    expect(ready.at(-1)).toMatchObject({ keep: 'device', lastFour: 'WXYZ' });
    expect(page()).not.toContain(passphrase);
    const db = await openDB(name, 1);
    const record: unknown = await db.get('vault', 'record');
    db.close();
    const disk = JSON.stringify(record, (_key, value: unknown) =>
      value instanceof ArrayBuffer ? new TextDecoder('latin1').decode(value) : value,
    );
    expect(disk).not.toContain('sk-canary');
    expect(disk).toContain(origin);

    const other = await openVault(name);
    expect(other.getState().status).toBe('locked');
    const second = showField({ vault: other });
    await person.type(field('Passphrase'), 'not this one');
    await press(person, 'Unlock');
    expect((await screen.findByRole('alert')).textContent).toBe('This passphrase is wrong. Try again.');
    expect(field('Passphrase').value).toBe('');
    await person.type(field('Passphrase'), passphrase);
    await press(person, 'Unlock');
    await waitFor(() => expect(second.ready).toHaveLength(1));
    expect(await second.ready[0]?.apiKey?.(origin)).toBe(canary);
  });

  it('refuses a short passphrase and two different ones, and stores nothing', async () => {
    const vault = await openVault();
    const { person } = showField({ vault, keep: 'device' });
    await person.type(field(), canary);
    await person.type(field('New passphrase'), 'short');
    await press(person, 'Use this key');
    expect((await screen.findByRole('alert')).textContent).toBe('The passphrase needs at least 8 characters.');
    await person.clear(field('New passphrase'));
    await person.type(field('New passphrase'), passphrase);
    await person.type(field('Repeat the passphrase'), `${passphrase}!`);
    await press(person, 'Use this key');
    expect((await screen.findByRole('alert')).textContent).toBe('The two passphrases are different.');
    expect(vault.getState()).toEqual({ status: 'memory', keys: [], locks: [] });
    expect(field().value).toBe(canary);
  });

  it('adds nothing where the browser cannot store', async () => {
    const vault = await openVault();
    const failing: Vault = {
      ...vault,
      protect: () => Promise.reject(new AgentError('No disk.', { code: 'STORAGE_UNAVAILABLE' })),
    };
    const { person, ready } = showField({ vault: failing, keep: 'device' });
    await person.type(field(), canary);
    await person.type(field('New passphrase'), passphrase);
    await person.type(field('Repeat the passphrase'), passphrase);
    await press(person, 'Use this key');
    expect((await screen.findByRole('alert')).textContent).toBe('No disk.');
    expect(vault.getState().keys).toEqual([]);
    expect(ready).toEqual([]);
    expect(field().value).toBe(canary);
  });

  it('names the other keys that the device stores, too', async () => {
    const vault = await openVault();
    await vault.add('other', canary, { baseURL: 'https://other.example' });
    const { container } = showField({ vault, keep: 'device' });
    expect(container.textContent).toContain('The other key of this page is stored, too.');
  });

  it('does not write a key of this tab to a vault that stores', async () => {
    const vault = await openVault();
    await vault.protect(passphrase);
    const { person, ready } = showField({ vault, keep: 'tab' });
    await person.type(field(), canary);
    await press(person, 'Use this key');
    expect(ready).toHaveLength(1);
    expect(vault.getState().keys).toEqual([]);
    expect(await ready[0]?.apiKey?.(origin)).toBe(canary);
    await press(person, 'Change');
    expect(screen.queryByLabelText('New passphrase')).toBeNull();
    await person.type(field(), canary);
    await choose(person, 'this device');
    await press(person, 'Use this key');
    await waitFor(() => expect(vault.getState().keys).toHaveLength(1));
    expect(await screen.findByText('Stored encrypted on this device, ends in WXYZ')).toBeTruthy();
  });

  it('takes a key for this tab while the stored ones are locked, and erases them if asked', async () => {
    const vault = await openVault();
    await vault.add(origin, canary, { baseURL: brook.baseURL });
    await vault.protect(passphrase);
    const { person, ready } = showField({ vault });
    await waitFor(() => expect(ready).toHaveLength(1));
    vault.lock();
    expect(await screen.findByText('Your keys are locked.')).toBeTruthy();
    await press(person, 'Use a key in this tab only');
    await person.type(field(), 'sk-other-0123456789abcdefghij-ABCD');
    await press(person, 'Use this key');
    expect(await screen.findByText('In the memory of this tab, ends in ABCD')).toBeTruthy();
    expect(vault.getState().status).toBe('locked');
    await press(person, 'Forget');
    await press(person, 'Forget');
    await press(person, 'Forgot the passphrase?');
    await press(person, 'Cancel');
    await press(person, 'Forgot the passphrase?');
    await press(person, 'Erase the keys');
    await waitFor(() => expect(vault.getState()).toEqual({ status: 'memory', keys: [], locks: [] }));
    expect(field().value).toBe('');
  });

  it('forgets a stored key, on the disk, too', async () => {
    const name = `key-field-${crypto.randomUUID()}`;
    const vault = await openVault(name);
    await vault.add(origin, canary, { baseURL: brook.baseURL });
    await vault.protect(passphrase);
    const onForget = vi.fn<() => void>();
    const { person } = showField({ vault, onForget });
    await press(person, 'Forget');
    // What a second Enter does is harmless.
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Cancel'));
    await press(person, 'Cancel');
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Forget'));
    await press(person, 'Forget');
    await press(person, 'Forget');
    await waitFor(() => expect(onForget).toHaveBeenCalledTimes(1));
    const other = await openVault(name);
    await other.unlock(passphrase);
    expect(other.getState().keys).toEqual([]);
  });

  it('does not show a key for another address as one for this', async () => {
    const vault = await openVault();
    await vault.add('mine', canary, { baseURL: 'https://other.example' });
    const { ready } = showField({ vault, keyId: 'mine' });
    expect(field().value).toBe('');
    expect(ready).toEqual([]);
  });

  it('says that no passkey can be used, and reads Chinese', async () => {
    const vault = await openVault();
    await vault.add(origin, canary, { baseURL: brook.baseURL });
    await vault.protect(passphrase);
    vault.lock();
    const withPasskey: Vault = {
      ...vault,
      getState: () => state,
      unlockWithPasskey: () => Promise.reject(new AgentError('declined', { code: 'ABORTED' })),
    };
    const state = { ...vault.getState(), locks: ['passphrase', 'passkey'] as const };
    const { person } = showField({ vault: withPasskey, labels: chinese.key });
    await press(person, '使用通行密钥');
    expect((await screen.findByRole('alert')).textContent).toBe('没有使用通行密钥。请重试，或输入口令。');
  });
});

describe('UnlockKeys', () => {
  async function openLocked(): Promise<Vault> {
    const vault = await openVault();
    await vault.add(origin, canary, { baseURL: brook.baseURL });
    await vault.protect(passphrase);
    vault.lock();
    return vault;
  }

  it('unlocks by the passphrase, and says what was wrong', async () => {
    const vault = await openLocked();
    const onUnlocked = vi.fn<() => void>();
    const person = userEvent.setup();
    render(<UnlockKeys vault={vault} onUnlocked={onUnlocked} labels={{ unlock: 'Unlock and send', locked: '' }} />);
    expect(screen.queryByText('Your keys are locked.')).toBeNull();
    await person.type(field('Passphrase'), 'a wrong passphrase');
    await press(person, 'Unlock and send');
    expect((await screen.findByRole('alert')).textContent).toBe('This passphrase is wrong. Try again.');
    expect(onUnlocked).not.toHaveBeenCalled();
    expect(document.activeElement).toBe(field('Passphrase'));
    await person.type(field('Passphrase'), passphrase);
    await press(person, 'Unlock and send');
    await waitFor(() => expect(onUnlocked).toHaveBeenCalledOnce());
    expect(vault.getState().status).toBe('open');
  });

  it('erases after one more question, by what the page says, and says why it could not', async () => {
    const vault = await openLocked();
    const onErase = vi
      .fn<() => Promise<void>>()
      .mockRejectedValueOnce(new Error('The disk is away.'))
      .mockResolvedValue();
    const person = userEvent.setup();
    render(<UnlockKeys vault={vault} onErase={onErase} />);
    expect(screen.queryByRole('button', { name: 'Use a key in this tab only' })).toBeNull();
    await press(person, 'Forgot the passphrase?');
    await press(person, 'Erase the keys');
    await screen.findByText('The disk is away.');
    await press(person, 'Erase the keys');
    await waitFor(() => expect(onErase).toHaveBeenCalledTimes(2));
    expect(vault.getState().status).toBe('locked');
  });
});
