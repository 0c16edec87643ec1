/** mulberry32: the same numbers for the same seed on every machine. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Returns the bytes in pieces, cut before each position. */
export function* cutAt(all: Uint8Array, positions: readonly number[]): Generator<Uint8Array> {
  let from = 0;
  for (const to of [...positions].sort((a, b) => a - b)) {
    yield all.subarray(from, to);
    from = to;
  }
  yield all.subarray(from);
}

/** Returns a seeded set of positions: few or many, some of them neighbours. */
export function randomCuts(length: number, random: () => number): readonly number[] {
  const count = 1 + Math.floor(random() ** 3 * 400);
  const cuts = Array.from({ length: count }, () => Math.floor(random() * length));
  return random() < 0.5 ? cuts : cuts.flatMap((cut) => [cut, Math.min(length, cut + 1)]);
}
