import { maxCharacters, maxFormulas } from './limits.ts';

/** A formula that was found in Markdown. */
export interface Formula {
  /** As it was written, with its delimiters. */
  readonly source: string;
  /** What lies between the delimiters. */
  readonly tex: string;
  /** Whether it stands on lines of its own. */
  readonly isDisplay: boolean;
  /** Whether its end has arrived. */
  readonly isClosed: boolean;
}

/** Markdown with a placeholder for each formula, a character for private use: no rule of Markdown applies to it. */
export interface MaskedMarkdown {
  readonly text: string;
  readonly formulas: readonly Formula[];
}

const firstPlaceholder = 0xe000;
const placeholder = /[\ue000-\uf8ff]/gu;

const token = /\\[^]|(`+)|\$\$?/gu;
const inner = /\\[^]|\$\$?|\n[^\S\n]*\n/gu;
const closers = new Map([
  ['\\(', '\\)'],
  ['\\[', '\\]'],
  ['$$', '$$'],
  ['$', '$'],
]);

/**
 * Finds the formulas of a block of Markdown, written as `$…$`, `$$…$$`, `\(…\)` or `\[…\]`, and puts placeholders in their places. Code and
 * sums of money contain no formula.
 *
 * @param isGrowing whether the end of the text has not arrived: a formula may be open there
 */
export function maskFormulas(text: string, isGrowing = false): MaskedMarkdown {
  const formulas: Formula[] = [];
  // A text with characters for private use of its own, icons for example, is left as it is, like one that is too long to be rendered.
  if (text.length > maxCharacters || text.search(placeholder) >= 0) return { text, formulas };
  const findEnd = createEndFinder(text);
  let masked = '';
  let copied = 0;
  token.lastIndex = 0;
  for (let found = token.exec(text); found && formulas.length < maxFormulas; found = token.exec(text)) {
    const { 0: mark, 1: ticks, index } = found;
    if (ticks !== undefined) {
      token.lastIndex = endOfCode(text, index, ticks) ?? (isGrowing ? text.length : index + ticks.length);
      continue;
    }
    const formula = formulaAt(text, index, mark, { isGrowing, findEnd });
    if (formula === undefined) continue;
    masked += text.slice(copied, index) + String.fromCharCode(firstPlaceholder + formulas.length);
    copied = index + formula.source.length;
    token.lastIndex = copied;
    formulas.push(formula);
  }
  return { text: masked + text.slice(copied), formulas };
}

/** Returns a text with the sources of formulas in the places of their placeholders. */
export function unmask(text: string, formulas: readonly Formula[]): string {
  return text.replaceAll(placeholder, (found) => formulas[indexOf(found)]?.source ?? found);
}

/** Splits a text at its placeholders: a string for the text between, an object for a formula. */
export function splitFormulas(text: string, formulas: readonly Formula[]): readonly (string | Formula)[] {
  const pieces: (string | Formula)[] = [];
  let copied = 0;
  for (const { 0: found, index } of text.matchAll(placeholder)) {
    const formula = formulas[indexOf(found)];
    if (formula === undefined) continue;
    pieces.push(unmask(text.slice(copied, index), formulas), formula);
    copied = index + found.length;
  }
  return [...pieces, unmask(text.slice(copied), formulas)].filter((piece) => piece !== '');
}

function indexOf(found: string): number {
  return found.charCodeAt(0) - firstPlaceholder;
}

function endOfCode(text: string, start: number, ticks: string): number | undefined {
  const end = new RegExp(`(?<!\`)${ticks}(?!\`)`, 'gu');
  end.lastIndex = start + ticks.length;
  return end.exec(text) ? end.lastIndex : undefined;
}

interface Search {
  readonly isGrowing: boolean;
  readonly findEnd: EndFinder;
}

function formulaAt(text: string, start: number, mark: string, { isGrowing, findEnd }: Search): Formula | undefined {
  const closer = closers.get(mark);
  if (closer === undefined) return undefined;
  const isDisplay = mark === '$$' || mark === '\\[';
  const from = start + mark.length;
  const isBlock = isDisplay && /^[^\S\n]*\n/u.test(text.slice(from, from + 80)) && isEmpty(prefixOf(text, start));
  const end = findEnd(from, closer, isBlock);
  if (end === undefined && !isGrowing) return undefined;
  const prefix = prefixOf(text, start);
  const content = text.slice(from, end ?? text.length);
  // A paragraph has ended without the closing mark.
  if (end === undefined && !isBlock && /\n[^\S\n]*\n/u.test(content)) return undefined;
  const tex = (prefix.includes('>') ? content.replaceAll(/\n[^\S\n]*(?:>[^\S\n]?)+/gu, '\n') : content).trim();
  const after = end === undefined ? '' : text.charAt(end + closer.length);
  const isFormula =
    mark === '$'
      ? isInline(content, { before: text.charAt(start - 1), after, isOpen: end === undefined })
      : mark === '\\['
        ? looksLikeTex(tex) || (isEmpty(prefix) && /\n|^$/u.test(after)) || end === undefined
        : tex !== '' || end === undefined;
  if (!isFormula) return undefined;
  const source = text.slice(start, end === undefined ? text.length : end + closer.length);
  return end === undefined
    ? { source, tex: tex.replace(/[\\$]$/u, '').trimEnd(), isDisplay, isClosed: false }
    : { source, tex, isDisplay, isClosed: true };
}

/** Returns what stands before an index in its line. */
function prefixOf(text: string, start: number): string {
  return text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
}

/** Whether nothing but marks of lists and quotes stands before a formula in its line. */
function isEmpty(prefix: string): boolean {
  return /^(?:\s|>|[-*+](?=\s)|\d{1,9}[.)](?=\s))*$/u.test(prefix);
}

/**
 * Returns where the closing mark of a formula is, which begins at `from`; `undefined` if there is none.
 *
 * @param isBlock whether the formula may have empty lines
 */
type EndFinder = (from: number, closer: string, isBlock: boolean) => number | undefined;

/** Returns the finder for a text. It reads each part of the text once, also where thousands of formulas are not closed. */
function createEndFinder(text: string): EndFinder {
  /** Up to where a closing mark is missing. */
  const missing = new Map<string, number>();
  return (from, closer, isBlock) => {
    const kind = `${closer}${isBlock}`;
    if (from <= (missing.get(kind) ?? -1)) return undefined;
    inner.lastIndex = from;
    let found = inner.exec(text);
    for (; found; found = inner.exec(text)) {
      const [mark] = found;
      if (mark === closer) return found.index;
      if (closer === '$' && mark === '$$') break;
      if (mark.startsWith('\n')) {
        if (!isBlock) break;
        // The second line break may begin another empty line.
        inner.lastIndex -= 1;
      }
    }
    missing.set(kind, found?.index ?? text.length);
    return undefined;
  };
}

interface Surroundings {
  readonly before: string;
  readonly after: string;
  readonly isOpen: boolean;
}

/** Whether `$…$` is a formula, and not two sums of money or names of variables. */
function isInline(content: string, { before, after, isOpen }: Surroundings): boolean {
  if (/[\w$=/&?#@]/u.test(before) || /^\s|^$/u.test(content)) return false;
  if (isOpen) return looksLikeTex(content);
  if (/\s$/u.test(content) || /\d/u.test(after)) return false;
  if (looksLikeTex(content)) return true;
  const isWordy = /\p{L}{3}\s+\p{L}{3}|^[\d.,]+\s*\p{L}{2}|^[^(]*\)/u.test(content);
  return !isWordy && (content.length <= 2 || !/[a-z_]/iu.test(after));
}

function looksLikeTex(content: string): boolean {
  return /[\\^_{}=<>]/u.test(content);
}
