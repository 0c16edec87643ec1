/** Upper limits of an imported file, against files made to exhaust memory or time. */
export interface ImportLimits {
  /** Size of the file: characters of a string, bytes of a `Blob`. Default 256,000,000. */
  readonly size: number;
  /** Characters per line. Default 8,000,000. */
  readonly lineLength: number;
  /** Nesting of arrays and objects. Default 500. */
  readonly depth: number;
  /** Values per line. Default 100,000. */
  readonly values: number;
  /** Sessions in the file. Default 100,000. */
  readonly sessions: number;
}

export const defaultLimits: ImportLimits = {
  size: 256_000_000,
  lineLength: 8_000_000,
  depth: 500,
  values: 100_000,
  sessions: 100_000,
};

/** Largest `seq` in a file. A session that begins higher could soon not count on: numbers above 2^53 are not exact. */
export const maxSeq = 1_000_000_000_000;

/** Returns which limit a line exceeds, if any. The check runs before parsing, which cannot be interrupted, and visits each character once. */
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
