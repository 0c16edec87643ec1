import type { Block } from './blocks.ts';

/*
 * A parser of Markdown takes time that grows faster than some texts: with the nesting, the emphasis marks and the brackets. At these
 * limits the worst texts that are known take 0.5 s.
 */
export const maxCharacters = 30_000;
const maxLines = 1_000;
/** Characters before the text of a line: indentation and the markers of lists and quotes. A list needs two for each level. */
const maxPrefix = 200;
/** Brackets that are open at once: each may be an image around the next. */
const maxDepth = 100;
/** Emphasis marks and brackets. */
const maxMarks = 2_000;

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
  let depth = 0;
  return found.some((mark) => {
    if (mark === '[') depth += 1;
    else if (mark === ']') depth = Math.max(0, depth - 1);
    return depth > maxDepth;
  });
}

/** Blocks of one text that are rendered one by one, and the characters in them. */
const maxBlocks = 2_000;
const maxRendered = 300_000;

/** The result of `limitBlocks`. */
interface LimitedBlocks {
  readonly blocks: readonly Block[];
  /** The text of the blocks above the limit. */
  readonly rest: string;
}

/** Splits off the blocks of a very long text that are shown as plain text. */
export function limitBlocks(blocks: readonly Block[]): LimitedBlocks {
  let rendered = 0;
  const tooMany = blocks.findIndex(({ text }, index) => (rendered += text.length) > maxRendered || index >= maxBlocks);
  if (tooMany < 0) return { blocks, rest: '' };
  return {
    blocks: blocks.slice(0, tooMany),
    rest: blocks
      .slice(tooMany)
      .map(({ text }) => text)
      .join('\n\n'),
  };
}
