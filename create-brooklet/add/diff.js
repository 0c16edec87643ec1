// The difference of two texts, line by line.

/** Lines of a difference that are printed. */
const maxShown = 40;
/** Unchanged lines around a change. */
const around = 2;

/**
 * Returns the changed lines with those around them: `-` is the line of the project, `+` that of the package.
 *
 * @param {string} before
 * @param {string} after
 * @returns {readonly string[]}
 */
export function showDifference(before, after) {
  const lines = compare(before.split('\n'), after.split('\n'));
  const isNear = lines.map((_, index) =>
    lines.slice(Math.max(0, index - around), index + around + 1).some((line) => !line.startsWith(' ')),
  );
  const shown = lines.flatMap((line, index) => (isNear[index] ? [line] : isNear[index - 1] ? ['  …'] : []));
  if (shown.length <= maxShown) return shown;
  return [...shown.slice(0, maxShown), `  … ${shown.length - maxShown} more lines`];
}

/** A longest common subsequence. @param {readonly string[]} from @param {readonly string[]} to @returns {readonly string[]} */
function compare(from, to) {
  const width = to.length + 1;
  const longest = new Uint32Array((from.length + 1) * width);
  const at = (/** @type {number} */ i, /** @type {number} */ j) => longest[i * width + j] ?? 0;
  for (let i = from.length - 1; i >= 0; i--)
    for (let j = to.length - 1; j >= 0; j--)
      longest[i * width + j] = from[i] === to[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines = [];
  let [i, j] = [0, 0];
  while (i < from.length || j < to.length) {
    if (i < from.length && j < to.length && from[i] === to[j]) {
      lines.push(`  ${from[i]}`);
      i++;
      j++;
    } else if (j >= to.length || (i < from.length && at(i + 1, j) >= at(i, j + 1))) lines.push(`- ${from[i++]}`);
    else lines.push(`+ ${to[j++]}`);
  }
  return lines;
}
