import { expect, test } from 'vitest';
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
