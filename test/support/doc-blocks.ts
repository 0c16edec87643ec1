import { readFileSync } from 'node:fs';

/** A code block of a page. */
export interface Block {
  /** Unique file name. */
  readonly file: string;
  /** The block, and the declarations of an HTML comment `<!-- given … -->` before it, which the reader does not see. */
  readonly source: string;
  /** The lines that the block prints, by an HTML comment `<!-- prints … -->` after it. */
  readonly prints: string | undefined;
}

const pattern =
  /(?:<!-- given\n(?<given>.*?)\n-->\n\n)?```tsx?\n(?<code>.*?)\n```(?:\n\n<!-- prints\n(?<prints>.*?)\n-->)?/gs;

/** Returns the TypeScript blocks of a page; its path is without `.md`. */
export function blocksOf(page: string): readonly Block[] {
  const text = readFileSync(new URL(`../../${page}.md`, import.meta.url), 'utf8');
  return Array.from(text.matchAll(pattern), ({ groups = {} }, index) => ({
    file: `${page.replaceAll('/', '-')}-${index + 1}.tsx`,
    source: [groups.code, groups.given ?? '', 'export {};', ''].join('\n\n'),
    prints: groups.prints,
  }));
}
