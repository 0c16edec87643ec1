import { isJsonObject, type Json } from '../../core/json.ts';
import type { Coder } from './coder.ts';
import type { JetStream } from './jetstream.ts';
import type { BlobPlace } from './log.ts';
import { longestText, type Subjects } from './subjects.ts';
import type { CodecBytes } from '../../storage/codec.ts';

/** What is larger than a message: pieces of writes, and attachments and other long texts of events, which are loaded when they are needed. */
export interface LargeValues {
  readonly pieces: Pieces;
  /** Stores the long texts in a value, and replaces them by `null` in it. Resolves with their places. */
  take(value: Json): Promise<readonly BlobPlace[]>;
  /** Puts texts back into a value. Resolves with the number of those that are missing. */
  putBack(value: Json, places: readonly BlobPlace[]): Promise<number>;
}

interface LargeValuesOptions {
  readonly js: JetStream;
  readonly subjects: Subjects;
  readonly coder: () => Promise<Coder>;
  /** Returns the largest piece, in bytes. */
  readonly sizeOf: () => number;
}

export function createLargeValues({ js, subjects, coder, sizeOf }: LargeValuesOptions): LargeValues {
  const pieces = createPieces(js, sizeOf);
  /** Blobs that are in the stream, with the number of their pieces. */
  const known = new Map<string, number>();
  /** Comes after the pieces: a blob that has it is complete. */
  const markOf = (hash: string): string => subjects.blob(hash, -1);

  async function store(hash: string, text: string): Promise<number> {
    const mark = known.has(hash) ? undefined : await js.last(markOf(hash));
    const stored = known.get(hash) ?? (mark && Number(new TextDecoder().decode(mark.data)));
    if (stored) return stored;
    const { encode } = await coder();
    const count = await pieces.put((index) => subjects.blob(hash, index), await encode(text, ['blob', hash]));
    await js.append(markOf(hash), { data: String(count), expected: 0 });
    return count;
  }

  return {
    pieces,

    async take(value) {
      const places: BlobPlace[] = [];
      const { nameOf } = await coder();
      for (const { path, holder, key, text } of longTextsIn(value)) {
        const hash = await nameOf(text);
        if (hash === undefined) break;
        const count = await store(hash, text);
        known.set(hash, count);
        places.push({ path, hash, count });
        Reflect.set(holder, key, null);
      }
      return places;
    },

    async putBack(value, places) {
      const { decode } = await coder();
      let missing = 0;
      for (const { path, hash, count } of places) {
        const bytes = await pieces.get((index) => subjects.blob(hash, index), count);
        const text = bytes && (await decode(bytes, ['blob', hash]));
        if (text === undefined || !setAt(value, path, text)) missing++;
      }
      return missing;
    },
  };
}

interface LongText {
  readonly path: BlobPlace['path'];
  readonly holder: object;
  readonly key: string | number;
  readonly text: string;
}

function longTextsIn(value: Json, path: BlobPlace['path'] = []): readonly LongText[] {
  if (!Array.isArray(value) && !isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]: readonly [string, Json | undefined]) =>
    typeof inner === 'string' && inner.length > longestText
      ? [{ path: [...path, key], holder: value, key, text: inner }]
      : longTextsIn(inner ?? null, [...path, key]),
  );
}

/** Sets the value at a path. Returns whether the path exists. */
function setAt(holder: unknown, [key = '', ...rest]: BlobPlace['path'], value: Json): boolean {
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, key)) return false;
  // A key may be `__proto__`: the property is defined, never assigned.
  return rest.length > 0
    ? setAt(Reflect.get(holder, key), rest, value)
    : Reflect.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Bytes that are larger than a message, as messages of their own. */
interface Pieces {
  /** Stores the bytes. Resolves with the number of pieces. A piece that is stored already stays. */
  put(subjectOf: SubjectOf, bytes: CodecBytes): Promise<number>;
  /** Resolves with the bytes; with `undefined` where a piece is missing. */
  get(subjectOf: SubjectOf, count: number): Promise<CodecBytes | undefined>;
  /** Replaces each piece by an empty message, which takes about 100 bytes. */
  drop(subjectOf: SubjectOf, count: number): Promise<void>;
}

/** Returns the subject of a piece. */
type SubjectOf = (index: number) => string;

/** @param sizeOf returns the largest piece, in bytes */
function createPieces(js: JetStream, sizeOf: () => number): Pieces {
  return {
    async put(subjectOf, bytes) {
      const size = sizeOf();
      let count = 0;
      for (; count === 0 || count * size < bytes.length; count++)
        await js.append(subjectOf(count), { data: bytes.subarray(count * size, (count + 1) * size), expected: 0 });
      return count;
    },

    async get(subjectOf, count) {
      const pieces: CodecBytes[] = [];
      for (let index = 0; index < count; index++) {
        const piece = await js.last(subjectOf(index));
        if (piece === undefined || piece.data.length === 0) return undefined;
        pieces.push(piece.data);
      }
      return new Uint8Array(await new Blob(pieces).arrayBuffer());
    },

    async drop(subjectOf, count) {
      for (let index = 0; index < count; index++) await js.append(subjectOf(index), { data: '', isRollup: true });
    },
  };
}
