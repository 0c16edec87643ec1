// Turns of phrase in the comments and the messages of the sources: words for which technical English has a plainer standard one.

import { parseSync, Visitor } from 'vite';

/** Turns of phrase per 100 comment lines that a folder may have. */
export const limit = 1;

/** @type {readonly (readonly [turn: RegExp, instead: string])[]} */
const turns = [
  [/\bwho(so)?ever\b/, 'name the one who acts: the caller, the page, the operator'],
  [/\b(nobody|no one)\b/, 'no page, no device, no person; or the passive'],
  [/\b(tells?|told|telling)\b/, 'report, notify, state, show, distinguish'],
  [/\banew\b/, 'again'],
  [/\bonce more\b/, 'again'],
  [/\b(go|goes|going|gone|went) on\b/, 'continue'],
  [/\b(hears?|heard|learns?|learned|learnt) of\b/, 'is notified of, receives, reads'],
  [/\ball the same\b/, 'nevertheless'],
  [/\b(has|have|had) come to\b/, 'the outcome of'],
  [/\bwhat (has |have |had )?(become|becomes|came|comes) of\b/, 'the state of, the outcome of'],
  [/\b(for|from) want of\b/, 'because … is missing'],
  [
    /(?<!\bthere )\b(is|are|was|were) no\b(?! (longer|more|earlier|later|less|fewer|larger|smaller|shorter)\b)/,
    'is not a',
  ],
  [/(?<!\bthere )\b(is|are|was|were) none\b/, 'is not one, does not count'],
  [/\b(has|have|had) not got\b/, 'does not have'],
  [/\b(take|takes|taken|took|taking)( \w+){0,2} for (gone|lost|granted|dead|one that)\b/, 'treat as, assume'],
  [/\bdress(es|ed|ing)?\b/, 'form'],
  [/\baskers?\b/, 'the server that asks, the page that asks'],
  // The class of this name is not meant.
  [/(?<!(throws|with) )\btroubles?\b/, 'problem'],
  [/\bspent\b/, 'used, ended'],
  [/\bstrangers?\b/, 'untrusted'],
  [/\bvouch(es|ed)?\b/, 'trust, sign, prove'],
  [/\bmend(s|ed)?\b/, 'repair, change'],
  [/\bdoors?\b/, 'entry, check'],
  [/\b(lest|hence|thence|whence|thereby|therein|hitherto)\b/, 'so that, therefore'],
  [/\bin (its|their) stead\b/, 'instead'],
];

/** A turn may be broken by the end of a line. */
const patterns = turns.map(([{ source }, instead]) => ({
  pattern: new RegExp(source.replaceAll(' ', '\\s+'), 'gi'),
  instead,
}));

/**
 * Returns the turns of phrase of a source, in the order of their lines, each with a plainer word; and the number of its comment lines. Code within
 * backticks is no prose.
 *
 * @param {string} file name, which states the language
 * @param {string} source
 */
export function findTurns(file, source) {
  const { program, comments, errors } = parseSync(file, source, { sourceType: 'module' });
  if (errors.length > 0) throw new SyntaxError(`${file}: ${errors[0]?.message}`);
  const toLine = createLines(source);
  const messages = readMessages(source, program);
  const hits = [...joinComments(source, comments), ...messages].flatMap(({ start, end }) => {
    // Of the same length, so that an offset remains one: what begins and ends a line of a comment, and code.
    const prose = source
      .slice(start, end)
      .replaceAll(/^[^\S\n]*(\/\*\*?|\/\/|\*(?!\/))/gm, (marker) => ' '.repeat(marker.length))
      .replaceAll(/\\?`[^`\n]*`/g, (code) => '-'.repeat(code.length));
    return patterns.flatMap(({ pattern, instead }) =>
      [...prose.matchAll(pattern)].map((match) => ({
        line: toLine(start + match.index),
        turn: match[0].replaceAll(/\s+/g, ' '),
        instead,
      })),
    );
  });
  return {
    commentLines: comments.reduce((sum, { start, end }) => sum + toLine(end) - toLine(start) + 1, 0),
    hits: hits.toSorted((one, other) => one.line - other.line),
  };
}

/** @typedef {{ readonly start: number, readonly end: number }} Range */

/**
 * Returns the comments, each `//` line together with those that follow it: a sentence may continue there.
 *
 * @param {string} source
 * @param {readonly Range[]} comments
 */
function joinComments(source, comments) {
  /** @type {Range[]} */
  const joined = [];
  for (const { start, end } of comments) {
    const last = joined.at(-1);
    const follows =
      last && source.startsWith('//', start) && /^[^\S\n]*\n[^\S\n]*$/.test(source.slice(last.end, start));
    if (follows) joined.splice(-1, 1, { start: last.start, end });
    else joined.push({ start, end });
  }
  return joined;
}

/**
 * Returns the texts that a person or a model may read: strings of several words on one line. Errors have theirs in calls, in tables and in
 * constants; longer texts are pages, styles and prompts.
 *
 * @param {string} source
 * @param {import('vite').ESTree.Program} program
 */
function readMessages(source, program) {
  /** @type {Range[]} */
  const found = [];
  /** @param {string} text */
  const isMessage = (text) => !text.includes('\n') && text.trim().split(/\s+/).length > 2;
  new Visitor({
    Literal({ value, start, end }) {
      if (typeof value === 'string' && isMessage(value)) found.push({ start: start + 1, end: end - 1 });
    },
    TemplateLiteral({ start, end, expressions }) {
      const starts = [start + 1, ...expressions.map((expression) => expression.end)];
      const ends = [...expressions.map((expression) => expression.start), end - 1];
      const parts = starts.map((from, index) => ({ start: from, end: ends[index] ?? from }));
      if (isMessage(parts.map((part) => source.slice(part.start, part.end)).join(''))) found.push(...parts);
    },
  }).visit(program);
  return found;
}

/** @param {string} source @returns {(offset: number) => number} the line of an offset, from 1 */
function createLines(source) {
  const ends = [...source.matchAll(/\n/g)].map(({ index }) => index);
  return (offset) => 1 + ends.filter((end) => end < offset).length;
}

/**
 * Counts the turns of phrase of each folder of src/, at most two below it: files of a deeper folder count for that one.
 *
 * @param {Iterable<readonly [path: string, source: string]>} sources with paths from the root
 */
export function countByFolder(sources) {
  /** @type {Map<string, { lines: number, hits: { path: string, line: number, turn: string, instead: string }[] }>} */
  const folders = new Map();
  for (const [path, source] of sources) {
    const name = path.split('/').slice(0, -1).slice(0, 3).join('/');
    const folder = folders.get(name) ?? { lines: 0, hits: [] };
    const { commentLines, hits } = findTurns(path, source);
    folder.lines += commentLines;
    folder.hits.push(...hits.map((hit) => ({ path, ...hit })));
    folders.set(name, folder);
  }
  return [...folders].map(([name, { lines, hits }]) => ({
    name,
    lines,
    hits,
    isOver: hits.length * 100 > limit * lines,
  }));
}
