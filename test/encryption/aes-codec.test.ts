import { AgentError } from 'brooklet';
import type { CodecBytes } from 'brooklet/encryption';
import { describe, expect, test } from 'vitest';
import { createAesSessionCodec } from '../../src/encryption/aes/aes-codec.ts';
import { deriveAesKeys } from '../../src/encryption/aes/aes-keys.ts';
import { createGhash } from '../../src/encryption/aes/ghash.ts';
import { codecKey } from '../support/codec.ts';

const sizes = [0, 1, 15, 16, 17, 255, 4_095, 4_096, 4_097, 16_384, 16_385, 40_000, 100_001];

/** Bytes that differ at every position, in every size. */
function sample(size: number): CodecBytes {
  return Uint8Array.from({ length: size }, (_, index) => (index * 31 + size) % 251);
}

async function setUp(byte = 7) {
  const key = await codecKey(byte);
  const codec = createAesSessionCodec({ get: () => key, request: async () => key });
  // Derives its keys.
  await codec.nameOf(sample(1));
  const encodeNow = (bytes: CodecBytes, context: string): CodecBytes =>
    codec.encodeNow?.(bytes, context) ?? expect.unreachable('no key stream is left');
  return { codec, encodeNow };
}

function isSame(bytes: CodecBytes | undefined, expected: CodecBytes): boolean {
  return bytes !== undefined && Buffer.compare(bytes, expected) === 0;
}

function fromHex(text: string): CodecBytes {
  return Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}

describe('the AES codec', () => {
  test.each(sizes)('encrypts %d bytes within the call as WebCrypto decrypts them', async (size) => {
    const { codec, encodeNow } = await setUp();
    expect(isSame(await codec.decode(encodeNow(sample(size), 'a place'), 'a place'), sample(size))).toBe(true);
  });

  test.each(sizes)('encrypts %d bytes as it decrypts them', async (size) => {
    const { codec } = await setUp();
    expect(isSame(await codec.decode(await codec.encode(sample(size), 'a place'), 'a place'), sample(size))).toBe(true);
  });

  test('returns the value of GHASH of the standard (test case 4 of McGrew and Viega)', () => {
    const { hash } = createGhash(fromHex('b83b533708bf535d0aa6e52980d53b78'));
    const data = fromHex('feedfacedeadbeeffeedfacedeadbeefabaddad2');
    const ciphertext = fromHex(
      '42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091',
    );
    expect(hash(data, ciphertext)).toEqual(fromHex('698e57f70e6ecc7fd9463b7260a9ae5f'));
  });

  test.each(['encode', 'encodeNow'] as const)('does not decrypt what %s encrypted for another place', async (verb) => {
    const { codec } = await setUp();
    const bytes = await codec[verb]?.(sample(20_000), 'a place');
    expect(bytes && (await codec.decode(bytes, 'another place'))).toBeUndefined();
  });

  test.each([9, 13, 25, 30, 16_000, 20_036])(
    'does not decrypt bytes of which byte %d was changed',
    async (position) => {
      const { codec, encodeNow } = await setUp();
      const bytes = encodeNow(sample(20_000), 'a place');
      bytes[position] = (bytes[position] ?? 0) ^ 1;
      expect(await codec.decode(bytes, 'a place')).toBeUndefined();
    },
  );

  test('does not decrypt a row without its last segment, or without content', async () => {
    const { codec, encodeNow } = await setUp();
    const bytes = encodeNow(sample(20_000), 'a place');
    expect(await codec.decode(bytes.slice(0, 9 + 32 + 16_384), 'a place')).toBeUndefined();
    expect(await codec.decode(bytes.slice(0, 9), 'a place')).toBeUndefined();
  });

  test('does not decrypt a row with a segment of another version of it, or with the version of earlier rows', async () => {
    const { codec, encodeNow } = await setUp();
    const [one, two] = [encodeNow(sample(40_000), 'a place'), encodeNow(sample(40_000), 'a place')];
    const segment = 16 + 16_384 + 16;
    for (const [from, to] of [
      [9, 9 + segment],
      [9 + segment, 9 + 2 * segment],
      [9 + 2 * segment, one.length],
    ] as const) {
      const mixed = one.slice();
      mixed.set(two.subarray(from, to), from);
      expect(await codec.decode(mixed, 'a place')).toBeUndefined();
    }
    const older = one.slice();
    older[0] = 1;
    expect(await codec.decode(older, 'a place')).toBeUndefined();
    expect(isSame(await codec.decode(one, 'a place'), sample(40_000))).toBe(true);
  });

  test('refuses bytes of another key with STORAGE_LOCKED, which an unlocking does not mend', async () => {
    const { encodeNow } = await setUp(1);
    const { codec } = await setUp(2);
    const refusal = await codec.decode(encodeNow(sample(9), ''), '').catch((thrown: unknown) => thrown);
    expect(refusal).toBeInstanceOf(AgentError);
    expect(refusal).toMatchObject({ code: 'STORAGE_LOCKED', retryable: false });
  });

  test('never uses an initialization vector twice', async () => {
    const { encodeNow } = await setUp();
    const vectors: string[] = [];
    for (let round = 0; round < 200; round++) {
      vectors.push(encodeNow(sample(1), '').slice(13, 25).join());
      if (round % 8 === 0) await (await setUp()).codec.encode(sample(1), '');
    }
    expect(new Set(vectors).size).toBe(200);
  });

  test('encrypts within one call at least 384 kB, and again after a moment', async () => {
    const { pads } = await deriveAesKeys(await codecKey());
    const takeAll = (): number => {
      let bytes = 0;
      for (let pad = pads.take(16_384); pad; pad = pads.take(16_384)) bytes += pad.stream.length;
      return bytes;
    };
    const first = takeAll();
    expect(first).toBeGreaterThanOrEqual(384 * 1_024);
    expect(takeAll()).toBe(0);
    await expect.poll(takeAll).toBe(first);
  });

  test('names equal bytes equally, other bytes and bytes under another key otherwise', async () => {
    const [one, other] = [(await setUp(1)).codec, (await setUp(2)).codec];
    const names = [await one.nameOf(sample(8)), await one.nameOf(sample(9)), await other.nameOf(sample(8))];
    expect(new Set(names).size).toBe(3);
    expect(await one.nameOf(sample(8))).toBe(names[0]);
  });
});
