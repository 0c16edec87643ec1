import type { Json } from '../../core/json.ts';
import type { LLMChunk } from '../../core/model/llm.ts';

/** Buffers a chunk that may grow, until another kind of chunk arrives or `flush` is called. */
export interface ChunkCoalescer {
  add(chunk: LLMChunk): void;
  flush(): void;
}

/** The fields a chunk may have. Read for nearly every piece, so reading has to be cheap. */
interface Fields {
  readonly type: string;
  readonly index?: number;
  readonly name?: string;
  readonly text?: string;
  readonly provider?: Json;
}

/**
 * Joins neighbouring chunks that grow the same part: one network read often contains dozens, and every consumer costs time per chunk,
 * not per character.
 */
export function createChunkCoalescer(emit: (chunk: LLMChunk) => void): ChunkCoalescer {
  let buffered: Extract<LLMChunk, { readonly text: string }> | undefined;
  /** Index of the call whose chunk is buffered. */
  let call: number | undefined;
  let text = '';

  function flush(): void {
    const whole = buffered && { ...buffered, text };
    buffered = undefined;
    if (whole) emit(whole);
  }

  return {
    flush,
    add(chunk) {
      const { type, index, name, text: more, provider }: Fields = chunk;
      const canGrow = more !== undefined && provider === undefined;
      if (canGrow && buffered?.type === type && call === index && name === undefined) {
        text += more;
        return;
      }
      flush();
      if (canGrow && 'text' in chunk) {
        buffered = chunk;
        call = index;
        text = more;
      } else emit(chunk);
    },
  };
}
