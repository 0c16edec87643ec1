import { malformed } from './broken-answer.ts';

/** Brackets within brackets. Much deeper, and what was heard could neither be stored nor sent again. */
export const maxDepth = 400;

/** Follows brackets through JSON that comes in pieces. */
export interface BracketScanner {
  /** Gives the places, counted within the piece, right after each whole object or array. */
  push(piece: string): readonly number[];
  /** Brackets still open. */
  readonly depth: number;
}

const mark = /["\\{}[\]]/g;

/**
 * Each character is looked at once, however the text is cut.
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
      // From mark to mark: most of a document is what strings say.
      mark.lastIndex = escaped ? 1 : 0;
      if (piece !== '') escaped = false;
      for (let found = mark.exec(piece); found; found = mark.exec(piece)) {
        const [char] = found;
        if (char === '"') inString = !inString;
        else if (char === '\\') {
          if (!inString) continue;
          escaped = mark.lastIndex === piece.length;
          mark.lastIndex += 1;
        } else if (inString) continue;
        else if (char === '{' || char === '[') {
          depth += 1;
          if (depth > maxDepth) throw malformed(host, 'it is nested too deeply');
        } else {
          depth -= 1;
          if (depth === 0) ends.push(mark.lastIndex);
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
