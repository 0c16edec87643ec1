import { expect, test, vi } from 'vitest';
import { type ListEntry, pinOf, type StoredList, verifyList, withEntry } from '../../src/sync/devices/device-list.ts';
import { createKeyPair, publicOf } from '../../src/sync/devices/keys.ts';
import { toJson } from '../../src/core/json.ts';

async function createDevice(name: string) {
  const pair = await createKeyPair(false);
  const { id, key } = await publicOf(pair);
  return { id, key, name, signer: pair.privateKey };
}

type Device = Awaited<ReturnType<typeof createDevice>>;

const check = (list: StoredList, pin?: Parameters<typeof verifyList>[1]) => verifyList(toJson(list), pin);

/** Returns the list with one more change. */
async function change(list: StoredList, by: Device, what: ListEntry['do'], of: Device): Promise<StoredList> {
  const { heads = [] } = (await check(list)) ?? {};
  const { id, key, name } = of;
  const entry = what === 'remove' ? { id } : { id, key, name };
  return withEntry({ stored: list, heads }, { do: what, ...entry, at: 1, by: by.id }, by.signer);
}

async function createList() {
  const [ann, bob, eve] = [await createDevice('Ann'), await createDevice('Bob'), await createDevice('Eve')];
  const first = await change({ entries: [] }, ann, 'add', ann);
  const both = await change(first, ann, 'add', bob);
  return { ann, bob, eve, first, both };
}

test('a list is right as its devices have signed it', async () => {
  const { ann, bob, both } = await createList();
  const list = await check(both);
  expect([...(list?.devices.keys() ?? [])]).toEqual([ann.id, bob.id]);
  expect(await check(await change(both, bob, 'remove', ann))).toBeDefined();
});

test('a list is wrong with a change of a device that is not in it, or was removed', async () => {
  const { ann, bob, eve, first, both } = await createList();
  expect(await check(await change(first, bob, 'add', eve))).toBeUndefined();
  expect(await check(await change(both, eve, 'add', eve))).toBeUndefined();
  const without = await change(both, ann, 'remove', bob);
  expect((await check(without))?.devices.get(bob.id)?.isRemoved).toBe(true);
  for (const what of ['add', 'invite', 'remove'] as const)
    expect(await check(await change(without, bob, what, what === 'remove' ? ann : eve))).toBeUndefined();
});

test('a list is wrong where a known device puts its key under the id of another device, or of an invitation', async () => {
  const { ann, bob, eve, both } = await createList();
  const invitation = await createDevice('');
  const invited = await change(both, ann, 'invite', invitation);
  for (const [list, id] of [
    [both, ann.id],
    [invited, invitation.id],
    [both, eve.id],
  ] as const)
    for (const what of ['add', 'invite'] as const)
      expect(await check(await change(list, bob, what, { ...bob, id }))).toBeUndefined();
  // The first device of a list without a passphrase has signed with the key that it states.
  expect(
    await check(await change({ entries: [] }, { ...bob, id: ann.id }, 'add', { ...bob, id: ann.id })),
  ).toBeUndefined();
  expect(await check(await change(invited, bob, 'add', eve))).toBeDefined();
});

test('a list that does not continue the known one is wrong, however long it is', async () => {
  const { ann, bob, eve, both } = await createList();
  const known = (await check(await change(both, ann, 'remove', bob))) ?? expect.unreachable();
  // Bob begins where he was still known.
  let other = both;
  for (const device of [eve, await createDevice('Fay')]) {
    other = await change(other, bob, 'add', device);
    expect(await check(other)).toBeDefined();
    expect(await check(other, pinOf(known))).toBeUndefined();
  }
  expect(await check(both, pinOf(known))).toBeUndefined();
  expect(await check(known.stored, pinOf(known))).toBeDefined();
});

test('an invitation adds one device, and does nothing else', async () => {
  const { ann, bob, eve, both } = await createList();
  const invitation = await createDevice('');
  const invited = await change(both, ann, 'invite', invitation);
  expect(await check(await change(invited, invitation, 'remove', bob))).toBeUndefined();
  expect(await check(await change(invited, invitation, 'invite', eve))).toBeUndefined();
  const joined = await change(invited, invitation, 'add', eve);
  expect((await check(joined))?.devices.get(eve.id)).toMatchObject({ name: 'Eve', isRemoved: false });
  expect(await check(await change(joined, invitation, 'add', await createDevice('Fay')))).toBeUndefined();
});

test('an invitation of a device that was removed since adds no device, and removes none', async () => {
  const { ann, bob, eve, both } = await createList();
  const [stolen, again] = [await createDevice(''), await createDevice('')];
  const invited = await change(await change(both, bob, 'invite', stolen), ann, 'invite', again);
  const without = await change(invited, ann, 'remove', bob);
  expect([...((await check(without))?.invitations.keys() ?? [])]).toEqual([again.id]);
  // The list stays valid: such an entry may be in a list of an earlier version.
  const joined = await change(without, stolen, 'add', eve);
  expect((await check(joined))?.devices.get(eve.id)).toMatchObject({ name: 'Eve', isRemoved: true });
  for (const what of ['add', 'invite', 'remove'] as const)
    expect(await check(await change(joined, eve, what, await createDevice('Fay')))).toBeUndefined();
  expect(await check(await change(joined, stolen, 'add', await createDevice('Fay')))).toBeUndefined();
  for (const what of ['invite', 'remove'] as const)
    expect(await check(await change(without, stolen, what, ann))).toBeUndefined();
  const renamed = await change(without, stolen, 'add', { ...ann, name: 'Eve' });
  expect((await check(renamed))?.devices.get(ann.id)).toMatchObject({ name: 'Ann', isRemoved: false });
  // That of the other device still adds one, and so does one that was made anew.
  const fay = await createDevice('Fay');
  expect((await check(await change(without, again, 'add', fay)))?.devices.get(fay.id)?.isRemoved).toBe(false);
  const anew = await change(await change(without, ann, 'invite', stolen), stolen, 'add', fay);
  expect((await check(anew))?.devices.get(fay.id)?.isRemoved).toBe(false);
});

test('the first change of a list without a passphrase adds the device that has signed it', async () => {
  const { ann, bob } = await createList();
  for (const [by, what, of] of [
    [ann, 'invite', ann],
    [ann, 'remove', ann],
    [ann, 'add', bob],
    [{ ...ann, id: 'passphrase' }, 'add', ann],
    [{ ...ann, id: bob.id }, 'add', ann],
  ] as const)
    expect(await check(await change({ entries: [] }, by, what, of)), `by ${what}`).toBeUndefined();
  expect(await check(await change({ entries: [] }, ann, 'add', ann))).toBeDefined();
});

test('nobody signs as the passphrase in a list without one, and with one it only adds', async () => {
  const [ann, bob, lock] = [await createDevice('Ann'), await createDevice('Bob'), await createDevice('')];
  const { both } = await createList();
  const passphrase = { ...lock, id: 'passphrase' };
  expect(await check(await change(both, passphrase, 'add', bob))).toBeUndefined();
  const locked: StoredList = { passphrase: { key: lock.key, sealed: {} }, entries: [] };
  const first = await change(locked, passphrase, 'add', ann);
  expect([...((await check(first))?.devices.keys() ?? [])]).toEqual([ann.id]);
  expect(await check(await change(first, passphrase, 'add', bob))).toBeDefined();
  for (const what of ['invite', 'remove'] as const)
    expect(await check(await change(first, passphrase, what, bob))).toBeUndefined();
  // The device signs with its own key, and not with that of the passphrase.
  expect(await check(await change(locked, ann, 'add', ann))).toBeUndefined();
});

test('what is no list is none', async () => {
  const { ann, bob, both } = await createList();
  const [entry] = both.entries;
  const values = [
    undefined,
    null,
    7,
    'x',
    [],
    {},
    { entries: {} },
    { entries: 'x' },
    { entries: [] },
    { entries: [null] },
  ];
  for (const value of values) expect(await verifyList(value, undefined)).toBeUndefined();
  const { heads = [] } = (await check(both)) ?? {};
  /** A change that is signed as a device would sign it. */
  const signed = async (more: object) => {
    const { id, key, name } = bob;
    const what = { do: 'add', id, key, name, at: 1, by: ann.id, ...more } as const;
    return toJson(await withEntry({ stored: both, heads }, what, ann.signer));
  };
  expect(await verifyList(await signed({}), undefined)).toBeDefined();
  for (const more of [
    { do: 'rename' },
    { id: 7 },
    { key: undefined },
    { do: 'invite', key: undefined },
    { name: 7 },
    { at: '1' },
    { at: null },
    { by: 7 },
  ])
    expect(await verifyList(await signed(more), undefined), `with ${JSON.stringify(more)}`).toBeUndefined();
  for (const signature of ['', '***', 'AAAA', `${entry?.signature}A`])
    expect(await verifyList(toJson({ entries: [{ ...entry, signature }] }), undefined)).toBeUndefined();
});

test('a list of more than 10,000 changes is not read', async () => {
  const { both } = await createList();
  const entries = Array.from({ length: 10_001 }, (_, index) => both.entries[index % 2]);
  const verify = vi.spyOn(crypto.subtle, 'verify');
  expect(await verifyList(toJson({ entries }), undefined)).toBeUndefined();
  expect(verify).not.toHaveBeenCalled();
  expect(await verifyList(toJson({ entries: entries.slice(0, -1) }), undefined)).toBeUndefined();
  expect(verify).toHaveBeenCalled();
  verify.mockRestore();
});
