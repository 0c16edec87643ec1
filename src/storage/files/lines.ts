import type { ImportLimits } from './limits.ts';

/** A line of a file. */
export interface Line {
  /** Counted from 1. */
  readonly number: number;
  readonly text: string;
  /** Why no further line can be read; set on the last line only. */
  readonly flaw?: string;
}

/** Bytes read at a time. */
const chunkSize = 250_000;

/** Characters of a text, bytes of a file. */
export function sizeOf(source: string | Blob): number {
  return typeof source === 'string' ? source.length : source.size;
}

/** The lines of a file or a text, without their ends (LF or CRLF), a byte order mark and empty ones. */
export async function* linesOf(source: string | Blob, limits: ImportLimits): AsyncGenerator<Line, void> {
  if (sizeOf(source) > limits.size) {
    yield { number: 1, text: '', flaw: `begins a file of more than ${limits.size} bytes` };
    return;
  }
  let number = 1;
  /** Pieces of the unfinished line, joined at its end: appending to a string per chunk would be O(n²). */
  let pieces: string[] = [];
  let length = 0;
  try {
    for await (const chunk of chunksOf(source)) {
      let start = 0;
      while (start < chunk.length) {
        const end = chunk.indexOf('\n', start);
        const piece = chunk.slice(start, end < 0 ? chunk.length : end);
        pieces.push(piece);
        length += piece.length;
        if (length > limits.lineLength) {
          yield { number, text: '', flaw: `is longer than ${limits.lineLength} characters` };
          return;
        }
        if (end < 0) break;
        start = end + 1;
        const text = withoutEnd(pieces.join(''));
        if (text.trim() !== '') yield { number, text };
        number++;
        pieces = [];
        length = 0;
      }
    }
  } catch {
    yield { number, text: '', flaw: 'cannot be read as UTF-8 text' };
    return;
  }
  const text = withoutEnd(pieces.join(''));
  if (text.trim() !== '') yield { number, text };
}

async function* chunksOf(source: string | Blob): AsyncGenerator<string, void> {
  if (typeof source === 'string') {
    yield source.startsWith('\ufeff') ? source.slice(1) : source;
    return;
  }
  // The decoder removes the byte order mark.
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for (let start = 0; start < source.size; start += chunkSize) {
    yield decoder.decode(await source.slice(start, start + chunkSize).arrayBuffer(), { stream: true });
  }
  yield decoder.decode();
}

function withoutEnd(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
