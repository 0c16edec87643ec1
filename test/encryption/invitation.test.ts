import { inviteDevice, openInvitation, openSharedKey } from 'brooklet/sync';
import type { StoreMeta } from '../../src/core/model/store.ts';
import { createMemoryStore } from 'brooklet/storage';
import { describe, expect, test } from 'vitest';
import { textIn } from '../../demo/src/base/json.ts';

const pin = '48201937';
const connection = { url: 'wss://nats.example.com', user: 'ann', password: 'ann-password' };

async function setUp() {
  const meta = createMemoryStore().meta ?? expect.unreachable('a memory store has meta');
  const key = await openSharedKey(meta, { passphrase: 'correct horse battery' });
  let time = 1_000_000;
  const now = (): number => time;
  return {
    meta,
    key,
    now,
    pass: (ms: number) => void (time += ms),
    invite: () => inviteDevice({ meta, key, connection, pin, now }),
  };
}

const refused = { code: 'PERMISSION_DENIED' };

/** The other device reads the entry, then a rival does what `act` does, then the other device goes on. */
function withRival(meta: StoreMeta, act: () => Promise<unknown>): StoreMeta {
  return {
    get: (key) => meta.get(key),
    async update(key, change) {
      change(await meta.get(key));
      await act();
      return meta.update(key, change);
    },
  };
}

describe('an invitation of a device', () => {
  test('gives the other device the connection and the key, once', async () => {
    const { meta, key, now, invite } = await setUp();
    const { code, isOpen, expiresAt } = await invite();
    expect(expiresAt).toBe(now() + 600_000);
    expect(await isOpen()).toBe(true);
    const opened = await openInvitation(code, pin, now);
    expect(opened.connection).toEqual(connection);
    expect(await opened.takeKey(meta)).toBe(key);
    expect(await isOpen()).toBe(false);
    await expect(opened.takeKey(meta)).rejects.toMatchObject(refused);
    await expect((await openInvitation(code, pin, now)).takeKey(meta)).rejects.toMatchObject(refused);
  });

  test('gives the key to one of two devices that take it at the same time', async () => {
    const { meta, key, now, invite } = await setUp();
    const { code } = await invite();
    const [one, other] = [await openInvitation(code, pin, now), await openInvitation(code, pin, now)];
    let taken = '';
    const late = one.takeKey(withRival(meta, async () => (taken = await other.takeKey(meta))));
    await expect(late).rejects.toMatchObject(refused);
    expect(taken).toBe(key);
  });

  test('can be copied with line breaks and typed with blanks around the PIN', async () => {
    const { now, invite } = await setUp();
    const { code } = await invite();
    const broken = ` ${code.slice(0, 50)}\n  ${code.slice(50)}\n`;
    expect((await openInvitation(broken, ` ${pin} `, now)).connection).toEqual(connection);
  });

  test('does not open with another PIN, or where one character was changed', async () => {
    const { now, invite } = await setUp();
    const { code } = await invite();
    const changed = `${code.slice(0, -3)}${code.at(-3) === 'A' ? 'B' : 'A'}${code.slice(-2)}`;
    await expect(openInvitation(code, '00000000', now)).rejects.toMatchObject({ code: 'AUTHENTICATION_FAILED' });
    await expect(openInvitation(changed, pin, now)).rejects.toMatchObject({ code: 'AUTHENTICATION_FAILED' });
  });

  test('is refused after its time, opened before or not', async () => {
    const { meta, now, pass, invite } = await setUp();
    const { code } = await invite();
    const opened = await openInvitation(code, pin, now);
    pass(600_001);
    await expect(openInvitation(code, pin, now)).rejects.toMatchObject(refused);
    await expect(opened.takeKey(meta)).rejects.toMatchObject(refused);
  });

  test('is refused once it is revoked, and once another one has replaced it, which stays', async () => {
    const { meta, key, now, invite } = await setUp();
    const [first, second] = [await invite(), await invite()];
    const opened = await openInvitation(first.code, pin, now);
    await expect(opened.takeKey(meta)).rejects.toMatchObject(refused);
    await first.revoke();
    expect(await second.isOpen()).toBe(true);
    const other = await openInvitation(second.code, pin, now);
    await second.revoke();
    await expect(other.takeKey(meta)).rejects.toMatchObject(refused);
    const third = await invite();
    expect(await (await openInvitation(third.code, pin, now)).takeKey(meta)).toBe(key);
  });

  test('is refused where somebody has moved its entry to another invitation', async () => {
    const { meta, now, invite } = await setUp();
    await invite();
    const older = await meta.get('brooklet invitation');
    const { code } = await invite();
    const entry = await meta.get('brooklet invitation');
    await meta.update('brooklet invitation', () => ({
      id: textIn(entry, 'id'),
      iv: textIn(older, 'iv'),
      data: textIn(older, 'data'),
    }));
    await expect((await openInvitation(code, pin, now)).takeKey(meta)).rejects.toMatchObject(refused);
  });

  test('has nothing in the clear, neither in the code nor on the remote store', async () => {
    const { meta, key, invite } = await setUp();
    const { code } = await invite();
    const stored = JSON.stringify(await meta.get('brooklet invitation'));
    const decoded = Buffer.from(code, 'base64url').toString('latin1');
    for (const secret of [key, connection.password, connection.url, pin])
      for (const text of [code, decoded, stored]) expect(text).not.toContain(secret);
  });

  test.each(['', 'https://example.com', 'AAAA', '***'])('is not read from %j', async (text) => {
    await expect(openInvitation(text, pin)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('needs a PIN of six characters', async () => {
    const { meta, key } = await setUp();
    await expect(inviteDevice({ meta, key, connection, pin: '12345' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    expect(await meta.get('brooklet invitation')).toBeUndefined();
  });
});
