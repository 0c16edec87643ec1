import type { RefKey, RowKey } from './keys.ts';

/** A range of `seq`, both included. */
type SeqRange = readonly [from: number, to: number];

/**
 * What a write has replaced. Rows in the ranges are obsolete, except those that the write itself has put. They are deleted later, by
 * `cleanUp`, and the cover with them; until then readers leave them out.
 *
 * Invariant: no later write without a cover of its own puts a row into the ranges.
 */
export interface Cover {
  readonly ranges: readonly SeqRange[];
  /** `seq` of the rows of `events` in the ranges that the write has put. */
  readonly rows: readonly number[];
  /** Keys of the rows of `refs` in the ranges that the write has put, without the id. Missing where no reference is replaced. */
  readonly refs?: readonly (readonly [seq: number, index: number])[];
}

/** The covers of one session, the oldest first. */
export type Covers = readonly Cover[];

/** Returns the ranges of a write as they count: only what is stored is replaced. */
export function storedRanges(replaces: readonly SeqRange[], expectedSeq: number): readonly SeqRange[] {
  return replaces.map(([from, to]): SeqRange => [Math.max(from, 0), Math.min(to, expectedSeq)]).filter(isRange);
}

function isRange([from, to]: SeqRange): boolean {
  return from <= to;
}

export function isInRanges(ranges: readonly SeqRange[], seq: number): boolean {
  return ranges.some(([from, to]) => from <= seq && seq <= to);
}

/** Returns whether a row of `events` counts. The last write that has replaced its `seq` decides. */
export function rowFilter(covers: Covers): (key: RowKey) => boolean {
  const known = covers.map(({ ranges, rows }) => ({ ranges, kept: new Set(rows) })).reverse();
  return ([, seq]) => known.find(({ ranges }) => isInRanges(ranges, seq))?.kept.has(seq) ?? true;
}

/** Returns whether a row of `refs` counts. */
export function refFilter(covers: Covers): (key: RefKey) => boolean {
  const known = covers.filter(({ refs }) => refs !== undefined).reverse();
  return ([, seq, index]) => {
    const cover = known.find(({ ranges }) => isInRanges(ranges, seq));
    return cover === undefined || (cover.refs ?? []).some(([ownSeq, ownIndex]) => ownSeq === seq && ownIndex === index);
  };
}

/** Returns the range that contains all that covers have replaced; `undefined` where they have replaced nothing. */
export function extentOf(covers: Covers): SeqRange | undefined {
  const ranges = covers.flatMap((cover) => cover.ranges);
  if (ranges.length === 0) return undefined;
  return [Math.min(...ranges.map(([from]) => from)), Math.max(...ranges.map(([, to]) => to))];
}
