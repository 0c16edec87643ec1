import { malformed } from './stream-errors.ts';

/** Brackets within brackets. Much deeper, and what was heard could neither be stored nor sent again. */
export const maxDepth = 400;

/** Follows brackets through JSON that comes in pieces. */
export interface BracketScanner {
  /** Gives the places, counted within the piece, right after each whole object or array. */
  push(piece: string): readonly number[];
  /** Brackets still open. */
  readonly depth: number;
}

const mark = /["\\{}[\]]/;

/**
 * Each character is looked at twice at most, however the text is cut.
 *
 * @param host who sent it, for messages. `push` throws AgentError `STREAM_MALFORMED` for what is nested too deeply.
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
      // Most pieces are what strings say.
      if (!escaped && !mark.test(piece)) return ends;
      for (let at = 0; at < piece.length; at += 1) {
        const char = piece[at];
        if (escaped) escaped = false;
        else if (char === '"') inString = !inString;
        else if (inString) escaped = char === '\\';
        else if (char === '{' || char === '[') {
          depth += 1;
          if (depth > maxDepth) throw malformed(host, 'it is nested too deeply');
        } else if (char === '}' || char === ']') {
          depth -= 1;
          if (depth === 0) ends.push(at + 1);
        }
      }
      return ends;
    },
  };
}

/** Cuts `{…}{…}` or `{…}\n[DONE]` into its documents. Some servers send two in one event. */
export function splitDocuments(text: string, host: string): readonly string[] {
  const ends = createBracketScanner(host).push(text);
  return [...ends, text.length].map((end, n) => text.slice(ends[n - 1], end).trim()).filter(Boolean);
}
