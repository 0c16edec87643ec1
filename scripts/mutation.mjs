/**
 * A change to one source file: its path from the project's root, and original texts with their replacements.
 *
 * @typedef {{ readonly file: string, readonly swaps: readonly (readonly [from: string, to: string])[] }} Mutation
 */

/**
 * Returns the code of a file as if it were changed.
 *
 * @param {string} code
 * @param {Mutation} mutation
 * @throws Error if the code does not contain each original text exactly once
 */
export function mutated(code, { file, swaps }) {
  return swaps.reduce((text, [from, to]) => {
    if (text.split(from).length !== 2) throw new Error(`${file} does not say once: ${from}`);
    return text.replace(from, () => to);
  }, code);
}
