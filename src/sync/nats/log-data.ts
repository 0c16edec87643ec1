import type { Json } from '../../core/json.ts';
import type { Ports } from '../../core/ports.ts';
import type { CodecBytes } from '../../storage/codec.ts';
import type { Coder } from './coder.ts';
import { type Head, type Parts, placeOfData } from './head.ts';
import type { LargeValues } from './large-values.ts';
import type { Body } from './log.ts';
import { longestText, type Subjects } from './subjects.ts';

/** Where the data of a write are: in the message, or in pieces. */
interface Placed {
  readonly data?: CodecBytes;
  readonly parts?: Parts;
}

/** Turns the events of a write into the data of a message. */
export interface LogData {
  /** Stores long texts apart, and resolves with the bytes of the rest. @param of the head of its message */
  encode(
    sessionId: string,
    body: Omit<Body, 'blobs'>,
    of: Pick<Head, 'after' | 'seq' | 'writeId'>,
  ): Promise<CodecBytes>;
  /** Stores in pieces what is larger than a message. */
  place(sessionId: string, bytes: CodecBytes): Promise<Placed>;
  /** Erases the pieces of uploads. */
  drop(sessionId: string, uploads: readonly (Parts | undefined)[]): Promise<void>;
}

export interface LogDataOptions {
  readonly ports: Pick<Ports, 'id'>;
  readonly subjects: Subjects;
  readonly large: LargeValues;
  readonly coder: () => Promise<Coder>;
  /** Returns the largest data of a message, in bytes. */
  readonly sizeOf: () => number;
}

export function createLogData({ ports, subjects, large, coder, sizeOf }: LogDataOptions): LogData {
  const subjectsOf =
    (sessionId: string, upload: string) =>
    (index: number): string =>
      subjects.part(sessionId, upload, index);

  return {
    async encode(sessionId, body, of) {
      const { encode } = await coder();
      const place = placeOfData(sessionId, { ...of, form: 2 });
      const bytes = await encode({ ...body, blobs: [] }, place);
      if (bytes.length <= longestText) return bytes;
      const events: Json[] = body.events.slice();
      const blobs = await large.take(events);
      return blobs.length > 0 ? encode({ ...body, events, blobs }, place) : bytes;
    },

    async place(sessionId, bytes) {
      if (bytes.length <= sizeOf()) return { data: bytes };
      const upload = ports.id();
      const count = await large.pieces.put(subjectsOf(sessionId, upload), bytes);
      return { parts: { upload, count } };
    },

    async drop(sessionId, uploads) {
      for (const parts of uploads) if (parts) await large.pieces.drop(subjectsOf(sessionId, parts.upload), parts.count);
    },
  };
}
