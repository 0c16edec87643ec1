import { useEffect, useState } from 'react';
import { useWhole } from '../base/whole.ts';
import type { Block } from './blocks.ts';

/** Characters of new blocks that are rendered at once: some 10 ms. */
const perFrame = 1_000;

/**
 * Returns how many of the blocks of a text to render: all of them when the text is first shown, later some more with each frame. So a text
 * that grows in leaps, as after a pause of the network or of the page, blocks no key.
 */
export function useRevealed(blocks: readonly Block[]): number {
  const [before, setBefore] = useState(blocks.length);
  const showsAll = useWhole();
  const count = showsAll ? blocks.length : countFrom(before, blocks);
  useEffect(() => {
    if (count === before) return undefined;
    const frame = requestAnimationFrame(() => setBefore(count));
    return () => cancelAnimationFrame(frame);
  }, [before, count]);
  return count;
}

/** Returns the blocks of before, and as many as fit into a frame: at least one. */
function countFrom(before: number, blocks: readonly Block[]): number {
  let count = before;
  for (let size = 0; count < blocks.length && size < perFrame; count += 1) size += blocks[count]?.text.length ?? 0;
  return Math.min(count, blocks.length);
}
