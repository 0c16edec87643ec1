import type { CodecBytes } from '../../storage/codec.ts';
import type { JetStream } from './jetstream.ts';

/** Bytes that are larger than a message, as messages of their own. */
export interface Pieces {
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
export function createPieces(js: JetStream, sizeOf: () => number): Pieces {
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
