import { AgentError } from 'brooklet';
import type { CodecBytes } from 'brooklet/encryption';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createAesSessionCodec } from '../../src/encryption/aes/aes-codec.ts';
import { deriveAesKeys } from '../../src/encryption/aes/aes-keys.ts';
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
  return codec;
}

function isSame(bytes: CodecBytes | undefined, expected: CodecBytes): boolean {
  return bytes !== undefined && Buffer.compare(bytes, expected) === 0;
}

function changedAt(bytes: CodecBytes, position: number): CodecBytes {
  return bytes.map((byte, index) => (index === position ? byte ^ 1 : byte));
}

/** A row of several segments, as earlier versions of this package wrote it. */
async function earlierRow(version: 1 | 2, parts: readonly CodecBytes[], context: string): Promise<CodecBytes> {
  const { cipher, keyId } = await deriveAesKeys(await codecKey());
  const ivs = parts.map(() => crypto.getRandomValues(new Uint8Array(12)));
  const segments = parts.map(async (plain, index) => {
    const iv = ivs[index] ?? expect.unreachable();
    const place = `${context} ${index}/${parts.length}`;
    const additionalData = new TextEncoder().encode(version === 1 ? place : `2 ${ivs[0]?.join()} ${place}`);
    const data = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, cipher, plain);
    const length = new Uint8Array(4);
    new DataView(length.buffer).setUint32(0, data.byteLength);
    return Buffer.concat([length, iv, new Uint8Array(data)]);
  });
  return Uint8Array.from(Buffer.concat([Uint8Array.of(version), keyId, ...(await Promise.all(segments))]));
}

/** The beginnings of the segments of a row of `earlierParts`, and its end. */
const places = [9, 9 + 132, 9 + 2 * 132, 9 + 2 * 132 + 72];
const earlierParts = [sample(100), sample(100), sample(40)];
const earlierText = Uint8Array.from(Buffer.concat(earlierParts));

afterEach(() => vi.restoreAllMocks());

describe('the AES codec', () => {
  test.each(sizes)('encrypts %d bytes as it decrypts them', async (size) => {
    const codec = await setUp();
    expect(isSame(await codec.decode(await codec.encode(sample(size), 'a place'), 'a place'), sample(size))).toBe(true);
  });

  test('begins the encryption within the call, once its keys are derived', async () => {
    const codec = await setUp();
    const encrypt = vi.spyOn(crypto.subtle, 'encrypt');
    const encoding = codec.encode(sample(20_000), 'a place');
    expect(encrypt).toHaveBeenCalledTimes(1);
    expect(isSame(await codec.decode(await encoding, 'a place'), sample(20_000))).toBe(true);
  });

  test('does not decrypt what it encrypted for another place', async () => {
    const codec = await setUp();
    const bytes = await codec.encode(sample(20_000), 'a place');
    expect(await codec.decode(bytes, 'another place')).toBeUndefined();
  });

  test.each([9, 12, 13, 24, 25, 16_000, 20_024, 20_025, 20_040])(
    'does not decrypt bytes of which byte %d was changed',
    async (position) => {
      const codec = await setUp();
      const bytes = await codec.encode(sample(20_000), 'a place');
      expect(await codec.decode(changedAt(bytes, position), 'a place')).toBeUndefined();
      expect(isSame(await codec.decode(bytes, 'a place'), sample(20_000))).toBe(true);
    },
  );

  test.each([9, 20, 25, 9 + 16 + 20_000, 9 + 16 + 20_000 + 15])(
    'does not decrypt a row that was cut after %d bytes',
    async (length) => {
      const codec = await setUp();
      const bytes = await codec.encode(sample(20_000), 'a place');
      expect(await codec.decode(bytes.slice(0, length), 'a place')).toBeUndefined();
    },
  );

  test('does not decrypt a row with bytes behind it', async () => {
    const codec = await setUp();
    const bytes = await codec.encode(sample(100), 'a place');
    for (const more of [1, 15, 16, 40])
      expect(await codec.decode(Uint8Array.of(...bytes, ...sample(more)), 'a place')).toBeUndefined();
  });

  test('does not decrypt a row under the version of earlier ones', async () => {
    const codec = await setUp();
    const bytes = await codec.encode(sample(100), 'a place');
    expect(await codec.decode(Uint8Array.of(1, ...bytes.subarray(1)), 'a place')).toBeUndefined();
  });

  test('refuses bytes of another key with STORAGE_LOCKED, which an unlocking does not mend', async () => {
    const [one, other] = [await setUp(1), await setUp(2)];
    const refusal = await other.decode(await one.encode(sample(9), ''), '').catch((thrown: unknown) => thrown);
    expect(refusal).toBeInstanceOf(AgentError);
    expect(refusal).toMatchObject({ code: 'STORAGE_LOCKED', retryable: false });
  });

  test('never uses an initialization vector twice', async () => {
    const codec = await setUp();
    const rows = await Promise.all(Array.from({ length: 200 }, () => codec.encode(sample(1), '')));
    expect(new Set(rows.map((row) => row.slice(13, 25).join())).size).toBe(200);
  });

  test('names equal bytes equally, other bytes and bytes under another key otherwise', async () => {
    const [one, other] = [await setUp(1), await setUp(2)];
    const names = [await one.nameOf(sample(8)), await one.nameOf(sample(9)), await other.nameOf(sample(8))];
    expect(new Set(names).size).toBe(3);
    expect(await one.nameOf(sample(8))).toBe(names[0]);
  });
});

describe.each([1, 2] as const)('the AES codec, of a row of several segments of version %d', (version) => {
  test('decrypts it', async () => {
    const codec = await setUp();
    const bytes = await earlierRow(version, earlierParts, 'a place');
    expect(isSame(await codec.decode(bytes, 'a place'), earlierText)).toBe(true);
    expect(await codec.decode(bytes, 'another place')).toBeUndefined();
  });

  test('does not decrypt it with a changed byte, wherever it is', async () => {
    const codec = await setUp();
    const bytes = await earlierRow(version, earlierParts, 'a place');
    expect(bytes).toHaveLength(places.at(-1) ?? 0);
    for (let position = 9; position < bytes.length; position++)
      expect(await codec.decode(changedAt(bytes, position), 'a place')).toBeUndefined();
  });

  test('does not decrypt it without one of its segments, or with two of them exchanged', async () => {
    const codec = await setUp();
    const bytes = await earlierRow(version, earlierParts, 'a place');
    const [one, two, three] = [0, 1, 2].map((nth) => bytes.subarray(places[nth], places[nth + 1]));
    const row = (...segments: readonly (CodecBytes | undefined)[]): CodecBytes =>
      Uint8Array.from(Buffer.concat([bytes.subarray(0, 9), ...segments.flatMap((its) => its ?? [])]));
    expect(isSame(await codec.decode(row(one, two, three), 'a place'), earlierText)).toBe(true);
    for (const wrong of [row(), row(one), row(one, two), row(two, three), row(two, one, three), row(one, two, two)])
      expect(await codec.decode(wrong, 'a place')).toBeUndefined();
  });
});

test('the AES codec does not decrypt a row with a segment of another version of it', async () => {
  const codec = await setUp();
  const [one, two] = [await earlierRow(2, earlierParts, 'a place'), await earlierRow(2, earlierParts, 'a place')];
  for (const nth of [0, 1, 2]) {
    const mixed = one.slice();
    mixed.set(two.subarray(places[nth], places[nth + 1]), places[nth]);
    expect(await codec.decode(mixed, 'a place')).toBeUndefined();
  }
});
