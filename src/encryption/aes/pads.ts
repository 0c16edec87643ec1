import type { CodecBytes } from '../../storage/codec.ts';
/** The key stream of one AES-GCM encryption that has not taken place yet. Invariant: used once. */
export interface Pad {
  readonly iv: CodecBytes;
  /** What masks the tag: 16 bytes. */
  readonly mask: CodecBytes;
  readonly stream: CodecBytes;
}

/** Key streams, made in advance. */
export interface Pads {
  /** Returns the smallest pad that is large enough, else the largest one; `undefined` where none is left. */
  take(length: number): Pad | undefined;
}

/** Sizes in bytes, and how many of each are kept: most rows are small, and a long row takes several pads. */
const supplies = [
  { size: 4_096, count: 16 },
  { size: 16_384, count: 24 },
] as const;

/** @param key for AES-CTR, with the same bits as the key for AES-GCM */
export async function createPads(key: CryptoKey): Promise<Pads> {
  const stocks = supplies.map(({ size, count }) => ({
    count,
    zeros: new Uint8Array(16 + size),
    pads: new Array<Pad>(),
    size,
  }));
  let filling: Promise<void> | undefined;

  async function fill(): Promise<void> {
    await Promise.all(
      stocks.map(async ({ zeros, count, pads }) => {
        while (pads.length < count) pads.push(...(await makePads(key, zeros, count - pads.length)));
      }),
    );
  }

  function refill(): void {
    // After the write that has taken a pad has begun.
    filling ??= Promise.resolve()
      .then(fill)
      .catch(() => {})
      .finally(() => (filling = undefined));
  }

  await fill();
  return {
    take(length) {
      const fitting = stocks.filter(({ size }) => size >= length);
      const stock = [...fitting, ...stocks.toReversed()].find(({ pads }) => pads.length > 0);
      refill();
      return stock?.pads.pop();
    },
  };
}

function makePads(key: CryptoKey, zeros: CodecBytes, count: number): Promise<readonly Pad[]> {
  return Promise.all(Array.from({ length: count }, () => makePad(key, zeros)));
}

/** @param zeros as many as the pad and its mask have bytes */
async function makePad(key: CryptoKey, zeros: CodecBytes): Promise<Pad> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  // AES-GCM counts from 1: the first block masks the tag.
  const counter = Uint8Array.of(...iv, 0, 0, 0, 1);
  const bytes = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-CTR', counter, length: 32 }, key, zeros));
  return { iv, mask: bytes.subarray(0, 16), stream: bytes.subarray(16) };
}
