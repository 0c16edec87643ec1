import { malformed } from './stream-errors.ts';

/** Brackets within brackets. A value that is nested much deeper could neither be stored nor sent again. */
export const maxDepth = 400;

/** Follows brackets through JSON that arrives in pieces. */
export interface BracketScanner {
  /** Returns the positions, counted within the piece, directly after each whole object or array. */
  push(piece: string): readonly number[];
  /** Brackets that are still open. A bracket too many does not count. */
  readonly depth: number;
}

const mark = /["\\{}[\]]/;

/**
 * Each character is read at most twice, however the text is cut.
 *
 * @param host the sender, for messages. `push` throws AgentError `STREAM_MALFORMED` for JSON that is nested too deeply.
 */
export function createBracketScanner(host: string): BracketScanner {
  let depth = 0;
  let inString = false;
  let escaped = false;
  return {
    get depth() {
      return depth;
    },
    push(piece) {
      const ends: number[] = [];
      // Most pieces are the inside of a string.
      if (!escaped && !mark.test(piece)) return ends;
      for (let at = 0; at < piece.length; at += 1) {
        const char = piece[at];
        if (escaped) escaped = false;
        else if (char === '"') inString = !inString;
        else if (inString) escaped = char === '\\';
        else if (char === '{' || char === '[') {
          depth += 1;
          if (depth > maxDepth) throw malformed(host, 'it is nested too deeply');
        } else if ((char === '}' || char === ']') && depth > 0) {
          depth -= 1;
          if (depth === 0) ends.push(at + 1);
        }
      }
      return ends;
    },
  };
}

/** Splits `{…}{…}` or `{…}\n[DONE]` into its documents. Some servers send two in one event. */
export function splitDocuments(text: string, host: string): readonly string[] {
  const ends = createBracketScanner(host).push(text);
  return [...ends, text.length].map((end, n) => text.slice(ends[n - 1], end).trim()).filter(Boolean);
}
