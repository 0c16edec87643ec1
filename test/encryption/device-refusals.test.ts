import { createMemoryStore } from 'brooklet/storage';
import { inviteDevice, openInvitation, openSharedKey } from 'brooklet/sync';
import { describe, expect, test, vi } from 'vitest';
import { fromBase64Url, toBase64Url } from '../../src/core/base64url.ts';
import { AgentError } from '../../src/core/error.ts';
import { isJsonObject, type Json, parseJson, toJson } from '../../src/core/json.ts';
import type { SessionEvent } from '../../src/core/model/event.ts';
import { toSealedText } from '../../src/encryption/sealed-text.ts';
import { importKey, keyOfPassphrase, randomBytes, rounds, seal, toBytes } from '../../src/keys/seal.ts';
import { createCheck } from '../../src/sync/devices/check-signature.ts';
import { createDecisionGuard } from '../../src/sync/devices/decision-guard.ts';
import { withEntry } from '../../src/sync/devices/device-list.ts';
import { createKeyPair, publicOf } from '../../src/sync/devices/keys.ts';
import { type DevicesOptions, openDevicesOn } from '../../src/sync/devices/open-devices.ts';
import { createRemovalGuard } from '../../src/sync/devices/removals.ts';
import { statementOf } from '../../src/sync/devices/statement.ts';
import { createMemoryDisk } from '../support/device-disk.ts';
import { untyped } from '../support/untyped.ts';

const listKey = 'brooklet devices';

function setUp() {
  const { meta } = createMemoryStore();
  const open = (name: string, more: Partial<DevicesOptions> = {}, disk = createMemoryDisk()) =>
    openDevicesOn(disk, { meta, name, now: () => 1, ...more });
  return { meta, open, first: () => open('Laptop', { isCreated: true }) };
}

describe('a device', () => {
  test.each(['', 'x'.repeat(101), 7, undefined, null, {}])('is not opened with the name %j', async (name) => {
    const { meta, open } = setUp();
    await expect(open(untyped(name), { isCreated: true })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect(await meta.get(listKey)).toBeUndefined();
  });

  test('is opened with a name of a hundred characters', async () => {
    const { open } = setUp();
    const laptop = await open('x'.repeat(100), { isCreated: true });
    expect(await laptop.list()).toMatchObject([{ name: 'x'.repeat(100), isThis: true }]);
  });

  test('that is removed is removed once, and one that is not in the list changes nothing', async () => {
    const { meta, open, first } = setUp();
    const laptop = await first();
    const phone = await open('Phone', { invitation: await laptop.invite() });
    expect((await phone.list()).map(({ isThis }) => isThis)).toEqual([false, true]);
    await laptop.remove(phone.id);
    const after = await meta.get(listKey);
    await laptop.remove(phone.id);
    await laptop.remove('nobody');
    expect(await meta.get(listKey)).toEqual(after);
    await expect(phone.invite()).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  });

  test('whose inviter was removed is not added by the invitation, and the list stays as it is', async () => {
    const { meta, open, first } = setUp();
    const laptop = await first();
    const phone = await open('Phone', { invitation: await laptop.invite() });
    const invitation = await phone.invite();
    await laptop.remove(phone.id);
    const after = await meta.get(listKey);
    await expect(open('Thief', { invitation })).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    expect(await meta.get(listKey)).toEqual(after);
  });

  test('that is known uses up no invitation', async () => {
    const { open, first } = setUp();
    const laptop = await first();
    const disk = createMemoryDisk();
    await open('Phone', { invitation: await laptop.invite() }, disk);
    const second = await laptop.invite();
    await open('Phone', { invitation: second }, disk);
    await open('Tablet', { invitation: second });
    expect((await laptop.list()).map(({ name }) => name)).toEqual(['Laptop', 'Phone', 'Tablet']);
  });

  test('that is not in the list is refused by name when it removes or invites', async () => {
    const { open, first } = setUp();
    const laptop = await first();
    const stranger = await open('Stranger');
    const message = expect.stringContaining('This device is not in the list of devices');
    await expect(stranger.remove(laptop.id)).rejects.toMatchObject({ code: 'PERMISSION_DENIED', message });
    await expect(stranger.invite()).rejects.toMatchObject({ code: 'PERMISSION_DENIED', message });
  });

  test('that is not in the list cannot remove itself, which would change nothing', async () => {
    const { open, first } = setUp();
    await first();
    const stranger = await open('Stranger');
    await expect(stranger.remove(stranger.id)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  });

  test('finds the signers of before where the list was spoiled, and none where the list cannot be read', async () => {
    const { meta, open, first } = setUp();
    const laptop = await first();
    const phone = await open('Phone', { invitation: await laptop.invite() });
    await laptop.list();
    const removal = { seq: 9, writeId: 'w' };
    await phone.removals?.note('s', removal);
    await meta.update(listKey, () => ({ entries: [] }));
    await expect(laptop.list()).rejects.toMatchObject({ code: 'STORAGE_CORRUPT' });
    expect(await laptop.removals?.vet('s', removal)).toBeUndefined();

    const offline = new AgentError('There is no network.', { code: 'STORAGE_UNAVAILABLE' });
    vi.spyOn(meta, 'get').mockImplementation(async (key) => {
      if (key === listKey) throw offline;
      return { ...removal, proof: { device: phone.id, signature: 's' } };
    });
    await expect(laptop.removals?.vet('s', removal)).rejects.toBe(offline);
  });

  test('is not added by anything but an invitation', async () => {
    const { open, first } = setUp();
    const laptop = await first();
    const right = parseJson(await laptop.invite());
    const other = toBase64Url(new Uint8Array(40).buffer);
    const wrong = [
      '',
      'x',
      '7',
      '[]',
      'null',
      ...['head', 'count', 'id', 'key'].flatMap((field) => [
        JSON.stringify({ ...Object(right), [field]: undefined }),
        JSON.stringify({ ...Object(right), [field]: null }),
        JSON.stringify({ ...Object(right), [field]: field === 'count' ? '1' : 7 }),
      ]),
      JSON.stringify({ ...Object(right), key: '***' }),
      JSON.stringify({ ...Object(right), key: other }),
    ];
    for (const invitation of wrong)
      await expect(open('Thief', { invitation })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    // Of another list, or with a secret of another invitation.
    const elsewhere = await (await setUp().first()).invite();
    await expect(open('Thief', { invitation: elsewhere })).rejects.toMatchObject({ code: 'STORAGE_CORRUPT' });
    const { key } = Object(parseJson(elsewhere)) as { key: string };
    const mixed = JSON.stringify({ ...Object(right), key });
    await expect(open('Thief', { invitation: mixed })).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    expect((await laptop.list()).map(({ name }) => name)).toEqual(['Laptop']);
  });

  test('does not sign with a sealed key that was put into a list of another key', async () => {
    const { meta, open } = setUp();
    const passphrase = 'correct horse battery';
    await open('Laptop', { passphrase });
    const { passphrase: lock } = Object(await meta.get(listKey)) as { passphrase: { sealed: object } };
    const [theirs, device] = [await createKeyPair(true), await createKeyPair(false)];
    const { key } = await publicOf(theirs);
    const entry = { do: 'add', ...(await publicOf(device)), name: 'Thief', at: 1, by: 'passphrase' } as const;
    const stored = { passphrase: { key, sealed: untyped(lock.sealed) }, entries: [] };
    const list = toJson(await withEntry({ stored, heads: [] }, entry, theirs.privateKey));
    await meta.update(listKey, () => list);
    await expect(open('Phone', { passphrase })).rejects.toMatchObject({
      code: 'STORAGE_CORRUPT',
      message: expect.stringContaining('is damaged'),
    });
    expect(await meta.get(listKey)).toEqual(list);
  });
});

describe('a statement on a removal', () => {
  test.each([
    ['a text for a seq', { seq: '9', writeId: 'w' }, 'invalid'],
    ['no seq', { writeId: 'w' }, 'invalid'],
    ['a number for a write', { seq: 9, writeId: 7 }, 'invalid'],
    ['no write', { seq: 9 }, 'invalid'],
    ['a device that is no text', { seq: 9, writeId: 'w', proof: { device: 7, signature: 's' } }, 'invalid'],
    ['a signature that is no text', { seq: 9, writeId: 'w', proof: { device: 'd' } }, 'invalid'],
    ['a proof that is a list', { seq: 9, writeId: 'w', proof: [] }, 'unsigned'],
    ['all that it needs', { seq: 9, writeId: 'w' }, undefined],
  ])('with %s is checked no further', async (_what, statement, why) => {
    const { meta } = createMemoryStore();
    // Any signature counts.
    const check = vi.fn(async () => ({}));
    const guard = createRemovalGuard({ sign: async () => ({ device: 'd', signature: 's' }), check }, meta);
    await meta.update('brooklet removal s', () => toJson({ proof: { device: 'd', signature: 's' }, ...statement }));
    expect(await guard.vet('s', { seq: 9, writeId: 'w' })).toBe(why);
    expect(check).toHaveBeenCalledTimes(why === undefined ? 1 : 0);
  });
});

describe('the text that a device signs for a decision', () => {
  const event = (body: object, seq: number) => untyped({ ...body, seq, at: 1, v: 2 }) as SessionEvent;
  const requested = event({ type: 'call.requested', callId: 'c', name: 'pay', inputText: '{}', input: {} }, 1);
  const asked = event({ type: 'approval.requested', callId: 'c' }, 2);
  const decision = event({ type: 'approval.decided', callId: 'c', verdict: 'approved', decidedBy: 'user' }, 3);
  const other = event({ type: 'call.requested', callId: 'd', name: 'look', inputText: '{}', input: {} }, 4);

  test('is none without its call, with two of it, and for what decides nothing', () => {
    const table: readonly (readonly [SessionEvent, readonly SessionEvent[]])[] = [
      [decision, []],
      [decision, [asked]],
      [decision, [other]],
      [decision, [requested, requested]],
      [requested, [requested]],
      [event({ type: 'call.ended', callId: 'c', outcome: 'succeeded' }, 5), [requested]],
    ];
    for (const [one, before] of table) expect(statementOf('s', one, before)).toBeUndefined();
  });

  test('has the session, the call, what was asked and the decision, and nothing of other calls', () => {
    const text = statementOf('s', decision, [requested, asked]);
    expect(statementOf('s', decision, [requested, other, asked])).toBe(text);
    const changes: readonly (readonly [string, SessionEvent, readonly SessionEvent[]])[] = [
      ['t', decision, [requested, asked]],
      ['s', decision, [requested]],
      ['s', decision, [requested, asked, asked]],
      ['s', { ...decision, at: 2 }, [requested, asked]],
      ['s', event({ ...decision, verdict: 'rejected' }, 3), [requested, asked]],
      ['s', decision, [event({ ...requested, inputText: '{"a":1}' }, 1), asked]],
    ];
    for (const [session, one, before] of changes) expect(statementOf(session, one, before)).not.toBe(text);
    // Other devices may have written before it.
    expect(statementOf('s', { ...decision, seq: 9 }, [{ ...requested, seq: 7 }, asked])).toBe(text);
  });
});

describe('a guard of decisions', () => {
  const event = (body: object, seq: number) => untyped({ ...body, seq, at: 1, v: 2 }) as SessionEvent;
  const requested = (seq: number) =>
    event({ type: 'call.requested', callId: 'c', name: 'pay', inputText: '{}', input: {} }, seq);
  const decided = (seq: number, more: object = {}) =>
    event({ type: 'approval.decided', callId: 'c', verdict: 'approved', decidedBy: 'user', ...more }, seq);
  const proof = { device: 'd', signature: 's' };

  /** Signs a write. Resolves with the proofs of its events, and with the statements that were signed. */
  async function signed(events: readonly SessionEvent[], expectedSeq: number, stored: readonly SessionEvent[] = []) {
    const statements: string[] = [];
    const reads: number[] = [];
    const { sign } = createDecisionGuard({
      sign: async (statement) => (statements.push(statement), proof),
      check: async () => ({}),
    });
    const read = async (_id: string, { after = 0 } = {}) => {
      reads.push(after);
      return { events: stored.filter(({ seq }) => seq > after) };
    };
    const write = await sign(untyped({ sessionId: 's', events, expectedSeq }), untyped({ read }));
    return { proofs: write.events.map((one) => ('proof' in one ? one.proof : undefined)), statements, reads, write };
  }

  test('signs what this page has just decided, on the call in the log or in the write', async () => {
    const { proofs, reads } = await signed([requested(1), decided(2)], 0);
    expect([proofs, reads]).toEqual([[undefined, proof], []]);
    expect((await signed([decided(2)], 1, [requested(1)])).proofs).toEqual([proof]);
  });

  test.each<readonly [what: string, events: readonly SessionEvent[], expectedSeq: number]>([
    ['a log that is stored again', [requested(1), decided(2)], 2],
    ['an imported file', [event({ type: 'session.imported' }, 1), requested(2), decided(3)], 0],
    ['what decides nothing', [requested(1), event({ type: 'call.started', callId: 'c' }, 2)], 0],
    ['a decision without its call', [decided(2)], 1],
    ['a call that comes later', [decided(1), requested(2)], 0],
  ])('does not sign the decisions of %s', async (_what, events, expectedSeq) => {
    const { proofs, statements } = await signed(events, expectedSeq);
    expect([proofs.filter(Boolean), statements]).toEqual([[], []]);
  });

  test('does not sign a decision that is in the log already, whatever the log has', async () => {
    const log = [requested(1), event({ type: 'approval.requested', callId: 'c' }, 2), decided(3)];
    expect((await signed([decided(3)], 3, log)).proofs).toEqual([undefined]);
    expect((await signed([decided(4)], 3, log.slice(0, 2))).proofs).toEqual([proof]);
  });

  test('leaves a signature that is there, and signs the decision beside it', async () => {
    const other = { device: 'e', signature: 't' };
    const events = [requested(1), decided(2, { proof: other }), decided(3, { verdict: 'rejected' })];
    const { proofs, statements } = await signed(events, 0);
    expect([proofs, statements.length]).toEqual([[undefined, other, proof], 1]);
  });

  test('leaves a write that decides nothing as it is', async () => {
    const events = [requested(1)];
    expect((await signed(events, 0)).write.events).toBe(events);
  });

  test('counts a call once that is stored, and that the write stores again', async () => {
    const { proofs } = await signed([requested(1), decided(2)], 1, [requested(1)]);
    expect(proofs).toEqual([undefined, proof]);
  });

  test('does not take events above the write for the log before it', async () => {
    // Another page has stored the call at the place of this write.
    expect((await signed([decided(2)], 1, [requested(2)])).proofs).toEqual([undefined]);
  });

  test('finds a call that is far back in the log, and reads the rest only for it', async () => {
    const far = await signed([decided(1_001)], 1_000, [requested(1)]);
    expect([far.proofs, far.reads]).toEqual([[proof], [500, 0]]);
    // Another call is near.
    const other = event({ type: 'call.requested', callId: 'd', name: 'pay', inputText: '{}', input: {} }, 900);
    expect((await signed([decided(1_001)], 1_000, [requested(1), other])).proofs).toEqual([proof]);
    const near = await signed([decided(1_001)], 1_000, [requested(900)]);
    expect([near.proofs, near.reads]).toEqual([[proof], [500]]);
  });

  test('counts its own signature without a list, and that of another only as the list states', async () => {
    const listed = (isRemoved: boolean) => ({ key: 'their key', name: 'Phone', isRemoved });
    const check = (device: string, found: ReturnType<typeof listed> | undefined, isRight = true) => {
      const isSignature = async (key: string) => isRight && key === (device === 'self' ? 'own key' : 'their key');
      const find = async () => found;
      return createCheck({ self: { id: 'self', key: 'own key' }, find, isSignature })('text', {
        device,
        signature: 's',
      });
    };
    expect(await check('self', undefined)).toEqual({});
    expect(await check('self', listed(true), false)).toEqual({ why: 'invalid' });
    expect(await check('phone', undefined)).toEqual({ why: 'unknown-device' });
    expect(await check('phone', listed(false), false)).toEqual({ why: 'invalid' });
    expect(await check('phone', listed(true))).toEqual({ why: 'removed-device', device: 'Phone' });
    expect(await check('phone', listed(false))).toEqual({ device: 'Phone' });
  });
});

describe('an invitation', () => {
  const pin = '48201937';

  /** The code of a page that seals other content by the PIN. */
  async function codeOf(content: Json | Uint8Array<ArrayBuffer>): Promise<string> {
    const salt = randomBytes(16);
    const bytes = content instanceof Uint8Array ? content : toBytes(content);
    const { iv, data } = await seal(await keyOfPassphrase(pin, salt, rounds), 'brooklet invitation code', bytes);
    return toBase64Url(Uint8Array.from([salt, iv, data].flatMap((part) => [...new Uint8Array(part)])).buffer);
  }
  const right = { id: 'i', expiresAt: 1_000, secret: toBase64Url(randomBytes(32)), connection: {} };

  test.each<readonly [what: string, content: Json | Uint8Array<ArrayBuffer>, code: string]>([
    ['text that is not JSON', new TextEncoder().encode('x'), 'AUTHENTICATION_FAILED'],
    ['a list', [right], 'AUTHENTICATION_FAILED'],
    ['an id that is no text', { ...right, id: 7 }, 'INVALID_INPUT'],
    ['an end that is no number', { ...right, expiresAt: '1000' }, 'INVALID_INPUT'],
    ['a secret that is no text', { ...right, secret: 7 }, 'INVALID_INPUT'],
    ['a secret that is not base64', { ...right, secret: '***' }, 'INVALID_INPUT'],
    ['no connection', { id: 'i', expiresAt: 1_000, secret: right.secret }, 'INVALID_INPUT'],
    ['an end that is over', { ...right, expiresAt: 0 }, 'PERMISSION_DENIED'],
  ])('that contains %s is refused', async (_what, content, code) => {
    await expect(openInvitation(await codeOf(content), pin, () => 1)).rejects.toMatchObject({ code });
  });

  test('is open until its last millisecond', async () => {
    const code = await codeOf(right);
    expect((await openInvitation(code, pin, () => 1_000)).connection).toEqual({});
    await expect(openInvitation(code, pin, () => 1_001)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  });

  test('of as many bytes as its salt and vector have no content', async () => {
    for (const size of [1, 28])
      await expect(openInvitation(toBase64Url(randomBytes(size)), pin)).rejects.toMatchObject({
        code: 'INVALID_INPUT',
      });
    await expect(openInvitation(toBase64Url(randomBytes(29)), pin)).rejects.toMatchObject({
      code: 'AUTHENTICATION_FAILED',
    });
  });

  test.each([['12345'], [12_345_678], [undefined], [{ length: 8 }]])('is not made with the PIN %j', async (given) => {
    const { meta } = createMemoryStore();
    const options = { meta, key: 'k', connection: {}, pin: untyped(given) };
    await expect(inviteDevice(options)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect(await meta.get('brooklet invitation')).toBeUndefined();
  });

  test('is made with a PIN of six characters', async () => {
    const { meta } = createMemoryStore();
    const { code } = await inviteDevice({ meta, key: 'k', connection: 1, pin: '123456' });
    expect((await openInvitation(code, '123456')).connection).toBe(1);
  });

  test.each<readonly [what: string, shared: Json]>([
    ['no key', { invitation: 'x' }],
    ['a key that is no text', { key: 7 }],
    ['a list', ['key']],
    ['a number', 7],
  ])('gives no key where its entry has %s', async (_what, shared) => {
    const { meta } = createMemoryStore();
    const opened = await openInvitation(await codeOf(right), pin, () => 1);
    const secret = fromBase64Url(right.secret) ?? expect.unreachable();
    const sealed = await seal(await importKey(secret.buffer), 'brooklet invitation key i 1000', toBytes(shared));
    await meta.update('brooklet invitation', () => ({ id: 'i', ...toSealedText(sealed) }));
    await expect(opened.takeKey(meta)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  });

  test.each<Json>(['x', [], { id: 'j' }, { id: 'i' }, { id: 'i', iv: 7, data: 7 }, { id: 'i', iv: '*', data: '*' }])(
    'gives no key where its entry is %j',
    async (entry) => {
      const { meta } = createMemoryStore();
      const opened = await openInvitation(await codeOf(right), pin, () => 1);
      await meta.update('brooklet invitation', () => entry);
      await expect(opened.takeKey(meta)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
      expect(opened.getInvitation()).toBeUndefined();
      // Another one stays.
      const isOwn = isJsonObject(entry) && entry.id === 'i';
      expect(await meta.get('brooklet invitation')).toEqual(isOwn ? undefined : entry);
    },
  );
});

test.each([['1234567'], [12_345_678], [undefined], [{ length: 9 }]])(
  'a shared key is not sealed by the passphrase %j',
  async (passphrase) => {
    const { meta } = createMemoryStore();
    await expect(openSharedKey(meta, { passphrase: untyped(passphrase) })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    expect(await meta.get('brooklet shared key')).toBeUndefined();
  },
);
