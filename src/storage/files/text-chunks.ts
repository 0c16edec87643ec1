import { fail } from '../../core/error.ts';

/** A part of a text. */
export interface TextChunk {
  readonly text: string;
  /** Characters of a text, bytes of a file, up to its end. */
  readonly read: number;
}

/** A text that is read in parts, as often as needed. */
export interface TextSource {
  /** Characters of a text, bytes of a file. */
  readonly size: number;
  readonly unit: 'characters' | 'bytes';
  /** Yields the text without its byte order mark. Rejects with AgentError `INVALID_INPUT` for bytes that are not a text. */
  chunks(): AsyncGenerator<TextChunk, void>;
}

/** Whether a value is a text or a file, also of another window. */
export function isText(value: unknown): value is string | Blob {
  return (
    typeof value === 'string' ||
    (typeof value === 'object' && value !== null && 'arrayBuffer' in value && 'size' in value)
  );
}

/** Characters of a text, or bytes of a file, read at a time. */
const chunkSize = 250_000;

/**
 * Returns a text, or a file with text: UTF-8, or UTF-16 with a byte order mark, as some programs for Windows write it. Reading rejects with
 * `STORAGE_FAILED` where the file cannot be read.
 */
export function toTextSource(source: string | Blob): TextSource {
  if (typeof source === 'string')
    return { size: source.length, unit: 'characters', chunks: () => chunksOfText(source) };
  return { size: source.size, unit: 'bytes', chunks: () => decoded(chunksOfFile(source)) };
}

async function* chunksOfText(text: string): AsyncGenerator<TextChunk, void> {
  for (let start = text.startsWith('\ufeff') ? 1 : 0; start < text.length; start += chunkSize) {
    const read = Math.min(text.length, start + chunkSize);
    yield { text: text.slice(start, read), read };
  }
}

async function* chunksOfFile(file: Blob): AsyncGenerator<Uint8Array, void> {
  for (let start = 0; start < file.size; start += chunkSize) yield await bytesOf(file, start, start + chunkSize);
}

/** Reads bytes of a file. Rejects with AgentError `STORAGE_FAILED` where the file cannot be read. */
export async function bytesOf(
  file: Blob,
  start: number,
  end: number,
): Promise<ReturnType<Uint8ArrayConstructor['of']>> {
  try {
    return new Uint8Array(await file.slice(start, end).arrayBuffer());
  } catch (cause) {
    return fail('STORAGE_FAILED', 'The file cannot be read: it was changed, moved or removed meanwhile.', cause);
  }
}

/** Decodes bytes. The byte order mark states the encoding; without one it is UTF-8. */
export async function* decoded(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<TextChunk, void> {
  let decoder: TextDecoder | undefined;
  let read = 0;
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder?.decode(chunk, { stream: chunk !== undefined }) ?? '';
    } catch (cause) {
      return fail('INVALID_INPUT', 'The file cannot be read as UTF-8 text: expected a text file.', cause);
    }
  };
  for await (const chunk of bytes) {
    decoder ??= new TextDecoder(encodingOf(chunk), { fatal: true });
    read += chunk.length;
    yield { text: decode(chunk), read };
  }
  const rest = decode();
  if (rest !== '') yield { text: rest, read };
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}
