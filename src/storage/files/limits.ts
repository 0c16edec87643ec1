/** What a file may be at most, so that one made to hurt does not. */
export interface ImportLimits {
  /** Characters, or bytes of a `Blob`. Default 256 MB. */
  readonly size: number;
  /** Characters a line. Default 8 million. */
  readonly lineLength: number;
  /** Lists and objects inside each other. Default 500. */
  readonly depth: number;
  /** Values a line. Default 100,000. */
  readonly values: number;
}

export const defaultLimits: ImportLimits = { size: 256_000_000, lineLength: 8_000_000, depth: 500, values: 100_000 };

/** Says what a text of JSON goes beyond, before anybody parses it: parsing cannot be interrupted. Looks at each character once. */
export function overLimit(text: string, { depth, values }: Pick<ImportLimits, 'depth' | 'values'>): string | undefined {
  let open = 0;
  let seen = 0;
  for (let index = 0; index < text.length; index++) {
    switch (text[index]) {
      case '"':
        index = endOfString(text, index);
        break;
      case '{':
      case '[':
        if (++open > depth) return `is nested deeper than ${depth} levels`;
        break;
      case '}':
      case ']':
        open--;
        break;
      case ',':
        if (++seen >= values) return `has more than ${values} values`;
        break;
      case undefined:
    }
  }
  return undefined;
}

function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1;
  return index;
}
