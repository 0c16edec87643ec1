import { fail } from '../../core/error.ts';

/** A part of a text. */
export interface TextChunk {
  readonly text: string;
  /** Characters of a text, bytes of a file, up to its end. */
  readonly read: number;
}

/** Characters of a text, or bytes of a file, read at a time. */
const chunkSize = 250_000;

/**
 * Yields a text, or the text of a file, in parts and without its byte order mark. A file is UTF-8, or UTF-16 with a byte order mark, as
 * some programs for Windows write it.
 *
 * Rejects with AgentError `INVALID_INPUT` for a file that is neither, and with `STORAGE_FAILED` where it cannot be read.
 */
export async function* chunksOf(source: string | Blob): AsyncGenerator<TextChunk, void> {
  if (typeof source === 'string') {
    for (let start = source.startsWith('\ufeff') ? 1 : 0; start < source.length; start += chunkSize) {
      const end = Math.min(source.length, start + chunkSize);
      yield { text: source.slice(start, end), read: end };
    }
    return;
  }
  const decoder = new TextDecoder(encodingOf(new Uint8Array(await bytesOf(source, 0, 2))), { fatal: true });
  for (let start = 0; start < source.size; start += chunkSize) {
    const end = Math.min(source.size, start + chunkSize);
    const bytes = await bytesOf(source, start, end);
    yield { text: decode(decoder, bytes, end < source.size), read: end };
  }
}

function decode(decoder: TextDecoder, bytes: ArrayBuffer, stream: boolean): string {
  try {
    return decoder.decode(bytes, { stream });
  } catch (cause) {
    return fail('INVALID_INPUT', 'The file cannot be read as UTF-8 text: expected a text file.', cause);
  }
}

async function bytesOf(file: Blob, start: number, end: number): Promise<ArrayBuffer> {
  try {
    return await file.slice(start, end).arrayBuffer();
  } catch (cause) {
    return fail('STORAGE_FAILED', 'The file cannot be read: it was changed, moved or removed meanwhile.', cause);
  }
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}
