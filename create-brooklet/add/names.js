// The parts that a person has named, in any of the usual spellings.

/** `tool-call`, `toolcall` and `ToolCall` are one name. @param {string} name */
const plain = (name) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/**
 * Returns the parts with these names.
 *
 * @template {{ readonly name: string }} Part
 * @param {readonly string[]} names
 * @param {readonly Part[]} parts
 * @returns {readonly Part[]}
 * @throws a sentence that names what is unknown, with the nearest names
 */
export function findParts(names, parts) {
  const unknown = names.filter((name) => !parts.some((part) => plain(part.name) === plain(name)));
  if (unknown.length > 0) throw new Error(unknown.map((name) => refusalOf(name, parts)).join('\n'));
  return parts.filter((part) => names.some((name) => plain(name) === plain(part.name)));
}

/** @param {string} name @param {readonly { readonly name: string }[]} parts */
function refusalOf(name, parts) {
  const near = parts
    .map((part) => ({ name: part.name, distance: distanceOf(plain(name), plain(part.name)) }))
    .filter((one) => one.distance <= Math.max(2, Math.floor(plain(one.name).length / 3)))
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, 3);
  const within = parts.filter((part) => plain(name) !== '' && plain(part.name).includes(plain(name)));
  const suggested = [...new Set([...near, ...within].map((one) => one.name))];
  const hint = suggested.length > 0 ? `Did you mean ${suggested.join(' or ')}?` : '--list names all.';
  return `There is no part "${name}". ${hint}`;
}

/** The edits from one text to another (Levenshtein). @param {string} one @param {string} other */
function distanceOf(one, other) {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const kept = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(kept, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
