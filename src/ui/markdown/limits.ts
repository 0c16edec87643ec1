/*
 * All bounds of Markdown. The time of a parser grows faster than some texts: with the nesting, the emphasis marks and the brackets. Within
 * these bounds the worst texts that are known take half a second, and what is beyond them is shown as plain text, or left out with a note.
 */

/** Characters of one block that are parsed. */
export const maxCharacters = 30_000;
/** Lines of one block that are parsed. */
const maxLines = 1_000;
/** Characters before the text of a line: indentation and the markers of lists and quotes. A list needs two for each level. */
const maxPrefix = 200;
/** Brackets that are open at once: each may be a picture around the next. */
const maxOpen = 100;
/** Emphasis marks and brackets of one block. */
const maxMarks = 2_000;
/** Elements within elements. */
export const maxDepth = 120;
/** Columns of a table that are shown. */
export const maxColumns = 60;
/** Formulas of one block; the text of those that follow is shown as it was written. */
export const maxFormulas = 1_000;
/** Characters of a whole text that are formatted. */
export const maxFormatted = 300_000;
/** Blocks of a whole text that are formatted. */
export const maxBlocks = 2_000;
/** Characters that are shown as plain text after those that are formatted. */
export const maxPlain = 100_000;
/** Lines above which a complete block of code is collapsed, and the lines that it then shows. */
export const maxCodeLines = 40;
export const shownCodeLines = 25;

const prefix = /^(?:[ \t]|>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))*/u;
const marks = /\*+|_+|~+|[[\]]/gu;

/** Returns whether parsing this block would block the page. */
export function isTooComplex(markdown: string): boolean {
  if (markdown.length > maxCharacters) return true;
  const lines = markdown.split('\n');
  if (lines.length > maxLines || lines.some((line) => (prefix.exec(line)?.[0].length ?? 0) > maxPrefix)) return true;
  const found = markdown.match(marks) ?? [];
  return found.length > maxMarks || isDeep(found);
}

function isDeep(found: readonly string[]): boolean {
  let open = 0;
  return found.some((mark) => {
    if (mark === '[') open += 1;
    else if (mark === ']') open = Math.max(0, open - 1);
    return open > maxOpen;
  });
}
