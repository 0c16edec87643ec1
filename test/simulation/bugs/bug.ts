import type { Mutation } from '../../../scripts/mutation.mjs';

/** Planted bugs by what they get wrong. */
export type Bugs = Readonly<Record<string, readonly Mutation[]>>;

/** Returns a bug that is one swap in one file. */
export const swap = (file: string, from: string, to: string): readonly Mutation[] => [{ file, swaps: [[from, to]] }];
