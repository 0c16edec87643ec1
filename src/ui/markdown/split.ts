import { type Block, type Blocks, toBlocks } from './blocks.ts';
import { maxBlocks, maxFormatted, maxPlain } from './limits.ts';

/** A text as it is shown. */
export interface Split extends Blocks {
  /** What follows the blocks as plain text. */
  readonly rest: string;
  /** Characters after that, which are not shown. */
  readonly leftOut: number;
}

/** Splits a text into blocks, within the bounds of `limits`. */
export function split(text: string): Split {
  const { blocks, definitions } = toBlocks(text.slice(0, maxFormatted));
  const shown: readonly Block[] = blocks.slice(0, maxBlocks);
  const dropped = blocks
    .slice(maxBlocks)
    .map((block) => block.text)
    .join('\n\n');
  const after = dropped + text.slice(maxFormatted);
  return { blocks: shown, definitions, rest: after.slice(0, maxPlain), leftOut: Math.max(0, after.length - maxPlain) };
}
