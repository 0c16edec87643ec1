/** A change to one source file: the original text, which must occur exactly once, and its replacement. */
interface Change {
  /** Path from the project's root. */
  readonly file: string;
  readonly swaps: readonly (readonly [from: string, to: string])[];
}

/** Planted bugs by what they get wrong. */
export type Bugs = Readonly<Record<string, readonly Change[]>>;

/** Returns a bug that is one swap in one file. */
export const swap = (file: string, from: string, to: string): readonly Change[] => [{ file, swaps: [[from, to]] }];
