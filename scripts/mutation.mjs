import { root } from './manifest.mjs';

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

/**
 * A plugin of Vite that changes the sources as they are loaded; the files stay unchanged.
 *
 * @param {readonly Mutation[]} mutations
 * @param {Set<Mutation>} [missing] loses each mutation whose file is loaded
 * @returns {import('vite').Plugin}
 */
export const mutating = (mutations, missing) => ({
  name: 'mutant',
  enforce: 'pre',
  transform(code, id) {
    const found = mutations.filter(({ file }) => id === `${root}${file}`);
    for (const mutation of found) missing?.delete(mutation);
    return found.length > 0 ? found.reduce(mutated, code) : undefined;
  },
});
