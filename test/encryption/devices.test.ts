import 'fake-indexeddb/auto';
import { type Devices, inviteDevice, openDevices, openInvitation, openSharedKey } from 'brooklet/sync';
import { eventVersion, type EventBody, type SessionEvent } from 'brooklet/core';
import { createMemoryStore } from 'brooklet/storage';
import { describe, expect, test, vi } from 'vitest';
import { isJsonObject, type Json, type JsonObject } from '../../src/core/json.ts';
import type { StoreMeta } from '../../src/core/model/store.ts';
import { createDeviceDisk } from '../../src/sync/devices/device-disk.ts';
import { createKeyPair, publicOf } from '../../src/sync/devices/keys.ts';
import { writeOf } from '../storage/raw.ts';

const passphrase = 'correct horse battery';
const listKey = 'brooklet devices';
let databases = 0;

function setUp() {
  const meta: StoreMeta = createMemoryStore().meta;
  let time = 1_000;
  /** Opens the list on another device, or again on the same one. */
  const open = (name: string, options: Partial<Parameters<typeof openDevices>[0]> = {}) =>
    openDevices({ meta, name, database: `device ${++databases}`, now: () => time++, ...options });
  /** Makes the list, and adds devices to it. A passphrase takes longer. */
  const first = () => open('Laptop', { isCreated: true });
  const add = async (devices: Pick<Devices, 'invite'>, name: string) =>
    open(name, { invitation: await devices.invite() });
  const replace = (change: (list: Json | undefined) => Json | undefined) => meta.update(listKey, change);
  /** Returns the list as the store has it. */
  async function get(): Promise<JsonObject & { readonly entries: readonly Json[] }> {
    const list = await meta.get(listKey);
    return isJsonObject(list) && Array.isArray(list.entries)
      ? { ...list, entries: list.entries }
      : expect.unreachable();
  }
  return { meta, open, first, add, replace, get };
}

const namesOf = async ({ list }: { list: () => Promise<readonly { name: string; isRemoved: boolean }[]> }) =>
  (await list()).map(({ name, isRemoved }) => (isRemoved ? `${name}, removed` : name));

const forged = { code: 'STORAGE_CORRUPT' };

describe('the key pair of a device', () => {
  test('is made once, also by two tabs at the same time', async () => {
    const make = vi.fn(() => createKeyPair(false));
    const name = `pair ${++databases}`;
    const tabs = [1, 2].map(() => createDeviceDisk(name));
    const [one, other] = await Promise.all(tabs.map(({ keyPair }) => keyPair(make)));
    expect(make).toHaveBeenCalledTimes(2);
    const idOf = async (pair: CryptoKeyPair | undefined) => (pair ? (await publicOf(pair)).id : expect.unreachable());
    expect(await idOf(other)).toBe(await idOf(one));
    expect(await idOf(await createDeviceDisk(name).keyPair(make))).toBe(await idOf(one));
    expect(make).toHaveBeenCalledTimes(2);
  });
});

describe('the list of known devices', () => {
  test('has the devices that were added with the passphrase', async () => {
    const { open } = setUp();
    const laptop = await open('Laptop', { passphrase });
    const phone = await open('Phone', { passphrase });
    expect(await laptop.list()).toEqual([
      { id: laptop.id, name: 'Laptop', addedAt: expect.any(Number), isThis: true, isRemoved: false },
      { id: phone.id, name: 'Phone', addedAt: expect.any(Number), isThis: false, isRemoved: false },
    ]);
    expect(await namesOf(phone)).toEqual(['Laptop', 'Phone']);
    await expect(open('Thief', { passphrase: 'another passphrase' })).rejects.toMatchObject({
      code: 'AUTHENTICATION_FAILED',
    });
    expect(await namesOf(laptop)).toEqual(['Laptop', 'Phone']);
  });

  test('keeps a device that is opened again, with the same key', async () => {
    const { open } = setUp();
    const laptop = await open('Laptop', { isCreated: true, database: 'kept' });
    const again = await open('Laptop', { isCreated: true, database: 'kept' });
    const later = await open('Laptop', { database: 'kept' });
    expect([again.id, later.id]).toEqual([laptop.id, laptop.id]);
    expect(await namesOf(later)).toEqual(['Laptop']);
  });

  test('does not have a device that was opened without a passphrase and an invitation', async () => {
    const { meta, open, first } = setUp();
    const stranger = await open('Stranger');
    expect(await stranger.list()).toEqual([]);
    expect(await meta.get('brooklet devices')).toBeUndefined();
    const laptop = await first();
    await open('Other');
    expect(await namesOf(laptop)).toEqual(['Laptop']);
    await expect(stranger.remove(laptop.id)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    await expect(stranger.invite()).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  });

  test('gets the device of an invitation, once', async () => {
    const { meta, open, first } = setUp();
    const key = await openSharedKey(meta, { passphrase });
    const laptop = await first();
    const pin = '48201937';
    const { code } = await inviteDevice({ meta, key, pin, connection: {}, devices: laptop });
    const opened = await openInvitation(code, pin);
    expect(opened.getInvitation()).toBeUndefined();
    expect(await opened.takeKey(meta)).toBe(key);
    const invitation = opened.getInvitation();
    expect(invitation).toEqual(expect.any(String));
    await open('Phone', { invitation });
    expect(await namesOf(laptop)).toEqual(['Laptop', 'Phone']);
    await expect(open('Thief', { invitation })).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    expect(await namesOf(laptop)).toEqual(['Laptop', 'Phone']);
  });

  test('shows a removed device as removed, which can remove nobody', async () => {
    const { first, add } = setUp();
    const laptop = await first();
    const phone = await add(laptop, 'Phone');
    await laptop.remove(phone.id);
    expect(await namesOf(phone)).toEqual(['Laptop', 'Phone, removed']);
    await expect(phone.remove(laptop.id)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    expect(await namesOf(laptop)).toEqual(['Laptop', 'Phone, removed']);
  });

  test('signs removals: that of a known device counts, and that of an unknown, removed or pretended one does not', async () => {
    const { meta, open, first, add } = setUp();
    const laptop = await first();
    const phone = await add(laptop, 'Phone');
    const thief = await open('Thief');
    const end = { seq: 7, writeId: 'a/b' };
    const vet = () => laptop.removals?.vet('s', end);
    expect(await vet()).toBe('unsigned');
    await thief.removals?.note('s', end);
    expect(await vet()).toBe('unknown-device');
    await phone.removals?.note('s', end);
    expect(await vet()).toBeUndefined();
    expect(await laptop.removals?.vet('t', end)).toBe('unsigned');
    // The thief puts the name of the phone on a signature of its own.
    const signed = await meta.get('brooklet removal s');
    await thief.removals?.note('s', end);
    const own = await meta.get('brooklet removal s');
    const { proof } = isJsonObject(own) ? own : {};
    await meta.update('brooklet removal s', () =>
      isJsonObject(own) && isJsonObject(proof) ? { ...own, proof: { ...proof, device: phone.id } } : own,
    );
    expect(await vet()).toBe('invalid');
    await meta.update('brooklet removal s', () => signed);
    expect(await vet()).toBeUndefined();
    await laptop.remove(phone.id);
    expect(await vet()).toBe('removed-device');
  });

  test('has both devices that were added at the same time', async () => {
    const { open } = setUp();
    await Promise.all([open('Laptop', { passphrase }), open('Phone', { passphrase })]);
    const tablet = await open('Tablet', { passphrase });
    expect((await namesOf(tablet)).toSorted()).toEqual(['Laptop', 'Phone', 'Tablet']);
  });
});

describe('somebody who can write the list, and is not in it,', () => {
  test('cannot add a device', async () => {
    const { open, first, replace, get } = setUp();
    const laptop = await first();
    const invitation = await laptop.invite();
    const before = await get();
    const other = setUp();
    await other.open('Thief', { isCreated: true });
    const theirs = await other.get();
    // A list of their own, an entry of it, and an entry that names the inviter.
    for (const forgery of [
      theirs,
      { ...before, entries: [...before.entries, ...theirs.entries] },
      {
        ...before,
        entries: [
          ...before.entries,
          ...theirs.entries.map((entry): Json => (isJsonObject(entry) ? { ...entry, by: laptop.id } : entry)),
        ],
      },
    ]) {
      await replace(() => forgery);
      await expect(laptop.list()).rejects.toMatchObject(forged);
      await expect(open('Phone', { invitation })).rejects.toMatchObject(forged);
    }
    await replace(() => before);
    expect(await namesOf(laptop)).toEqual(['Laptop']);
  });

  test('cannot take back a removal from a device that knows of it', async () => {
    const { first, add, replace, get } = setUp();
    const laptop = await first();
    const phone = await add(laptop, 'Phone');
    const before = await get();
    await laptop.remove(phone.id);
    await replace(() => before);
    await expect(laptop.list()).rejects.toMatchObject(forged);
    await replace(() => undefined);
    await expect(laptop.list()).rejects.toMatchObject(forged);
  });

  test('cannot rename a device or reorder the list', async () => {
    const { first, add, replace, get } = setUp();
    const laptop = await first();
    await add(laptop, 'Phone');
    const list = await get();
    const [one = expect.unreachable(), other = expect.unreachable()] = list.entries;
    for (const entries of [[{ ...Object(one), name: 'Tablet' }, other], [other, one], [one, other, other], []]) {
      await replace(() => ({ ...list, entries }));
      await expect(laptop.list()).rejects.toMatchObject(forged);
    }
  });

  test('cannot lead a device that has the passphrase to a list of their own', async () => {
    const { open, replace, get } = setUp();
    await open('Laptop', { passphrase });
    const { passphrase: lock = null } = await get();
    const other = setUp();
    await other.open('Thief', { isCreated: true });
    // Their own list, with the sealed key of the other one.
    const theirs = { ...(await other.get()), passphrase: lock };
    await replace(() => theirs);
    await expect(open('Phone', { passphrase })).rejects.toMatchObject(forged);
  });

  // A removed device has the shared key, and no passphrase.
  test.each(['before a device joins', 'while a device joins'])(
    'cannot replace it by one without a passphrase %s',
    async (when) => {
      const { meta, open, replace } = setUp();
      await open('Laptop', { passphrase });
      const other = setUp();
      await other.open('Thief', { isCreated: true });
      const theirs = await other.get();
      const database = 'device of the phone';
      let reads = 0;
      const swapping: StoreMeta = {
        ...meta,
        async get(key) {
          // The first two reads: whether there is a list, and which passphrase it has.
          if (when.startsWith('while') && reads++ === 2) await replace(() => theirs);
          return meta.get(key);
        },
      };
      if (when.startsWith('before')) await replace(() => theirs);
      await expect(open('Phone', { passphrase, meta: swapping, database })).rejects.toMatchObject(forged);
      // Nothing of it is remembered: without the passphrase, the device knows no list of theirs.
      await replace(() => undefined);
      expect(await namesOf(await open('Phone', { database }))).toEqual([]);
    },
  );

  test('cannot lead a device back to the time before it was removed, where the device has a later list', async () => {
    const { open, replace, get } = setUp();
    const database = 'device that joined';
    const laptop = await open('Laptop', { passphrase });
    const thief = await open('Thief', { passphrase });
    const before = await get();
    await laptop.remove(thief.id);
    await open('Phone', { passphrase, database });
    await replace(() => before);
    await expect(open('Phone', { passphrase, database })).rejects.toMatchObject(forged);
  });
});

describe('a signed decision', () => {
  const toLog = (bodies: readonly EventBody[]): readonly SessionEvent[] =>
    bodies.map((body, index) => ({ ...body, seq: index + 1, at: 1_000 + index, v: eventVersion }));
  const asking: readonly EventBody[] = [
    { type: 'session.started', sessionId: 's' },
    { type: 'run.started', runId: 'r' },
    { type: 'reply.started', messageId: 'a' },
    { type: 'call.requested', callId: 'c', name: 'pay', inputText: '{"n":7}', input: { n: 7 } },
    { type: 'reply.ended', finish: 'tool-calls' },
    { type: 'approval.requested', callId: 'c' },
  ];
  const approval: EventBody = { type: 'approval.decided', callId: 'c', verdict: 'approved', decidedBy: 'user' };
  const [before, whole] = [toLog(asking), toLog([...asking, approval])];

  /** Resolves with events as a device stores them, above what its store has. */
  async function signedBy(
    device: Devices,
    events: readonly SessionEvent[],
    stored: readonly SessionEvent[] = [],
  ): Promise<readonly SessionEvent[]> {
    const local = createMemoryStore();
    const seq = stored.length;
    if (seq > 0) await local.write({ ...writeOf('s', 0, seq), events: stored });
    const write = { ...writeOf('s', seq, events.at(-1)?.seq ?? 0), events };
    return (await device.sign(write, local)).events;
  }

  /** Resolves with what another device takes a log for which ends with a decision. */
  async function vettedBy(device: Devices, events: readonly SessionEvent[]) {
    const { held, events: counted } = await device.vet({
      sessionId: 's',
      theirs: events.filter(({ seq }) => seq > before.length),
      mine: before,
      from: before.length,
      agreed: before.length,
      spent: [],
    });
    return { held: held.map(({ why, device: name }) => [why, name]), counts: counted.at(-1)?.type === approval.type };
  }

  const proofIn = (events: readonly SessionEvent[]) =>
    events.flatMap((event) => (event.type === 'approval.decided' ? [event.proof?.device] : []));

  async function three() {
    const { open, first, add } = setUp();
    const laptop = await first();
    const phone = await add(laptop, 'Phone');
    return { laptop, phone, stranger: await open('Stranger') };
  }

  test('counts while its device is in the list, and not once the device is removed', async () => {
    const { laptop, phone } = await three();
    const signed = await signedBy(phone, whole.slice(before.length), before);
    expect(proofIn(signed)).toEqual([phone.id]);
    expect(await vettedBy(laptop, signed)).toEqual({ held: [], counts: true });
    await laptop.remove(phone.id);
    expect(await vettedBy(laptop, signed)).toEqual({ held: [['removed-device', 'Phone']], counts: false });
    const later = await signedBy(phone, whole.slice(before.length), before);
    expect(await vettedBy(laptop, later)).toEqual({ held: [['removed-device', 'Phone']], counts: false });
    // The person at the removed device decides there.
    expect(await vettedBy(phone, later)).toEqual({ held: [], counts: true });
  });

  test('does not count of a device that is not in the list, or in the name of another device', async () => {
    const { laptop, phone, stranger } = await three();
    const signed = await signedBy(stranger, whole.slice(before.length), before);
    expect(await vettedBy(laptop, signed)).toEqual({ held: [['unknown-device', undefined]], counts: false });
    for (const { id } of [laptop, phone]) {
      const forged = signed.map((event) =>
        event.type === 'approval.decided' && event.proof ? { ...event, proof: { ...event.proof, device: id } } : event,
      );
      expect(await vettedBy(laptop, forged)).toEqual({ held: [['invalid', undefined]], counts: false });
    }
  });

  test('is none of an imported file, of a log that is stored again, and of a decision without its call', async () => {
    const { laptop } = await three();
    const imported = toLog([...asking, approval, { type: 'session.imported' }]);
    expect(proofIn(await signedBy(laptop, imported))).toEqual([undefined]);
    expect(proofIn(await signedBy(laptop, whole, whole))).toEqual([undefined]);
    expect(proofIn(await signedBy(laptop, toLog([approval])))).toEqual([undefined]);
    // What this page decides after the import is its own.
    const next = toLog([...asking, approval, { type: 'session.imported' }, ...asking.slice(1), approval]).slice(-1);
    const again = next.map((event) => ({ ...event, callId: 'd' }));
    const stored = toLog([...asking, approval, { type: 'session.imported' }, ...asking.slice(1)]).map((event, index) =>
      index > 7 && 'callId' in event ? { ...event, callId: 'd' } : event,
    );
    expect(proofIn(await signedBy(laptop, again, stored))).toEqual([laptop.id]);
  });
});
