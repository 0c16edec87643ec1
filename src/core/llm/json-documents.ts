/** Follows brackets through JSON that comes in pieces. */
export interface BracketScanner {
  /** Gives the places, counted within the piece, right after each whole object or array. */
  push(piece: string): readonly number[];
  /** Brackets still open. */
  readonly depth: number;
}

/** Each character is looked at once, however the text is cut. */
export function createBracketScanner(): BracketScanner {
  let depth = 0;
  let inString = false;
  let escaped = false;
  return {
    get depth() {
      return depth;
    },
    push(piece) {
      const ends: number[] = [];
      for (let at = 0; at < piece.length; at += 1) {
        const char = piece[at];
        if (escaped) escaped = false;
        else if (inString) {
          if (char === '\\') escaped = true;
          else if (char === '"') inString = false;
        } else if (char === '"') inString = true;
        else if (char === '{' || char === '[') depth += 1;
        else if (char === '}' || char === ']') {
          depth -= 1;
          if (depth === 0) ends.push(at + 1);
        }
      }
      return ends;
    },
  };
}

/** Cuts `{…}{…}` or `{…}\n[DONE]` into its documents. Some servers send two in one event. */
export function splitDocuments(text: string): readonly string[] {
  const documents: string[] = [];
  let start = 0;
  for (const end of createBracketScanner().push(text)) {
    documents.push(text.slice(start, end).trim());
    start = end;
  }
  const rest = text.slice(start).trim();
  return rest === '' ? documents : [...documents, rest];
}
