import type { Json } from '../../core/json.ts';
import type { LLMChunk } from '../../core/model/llm.ts';

/** Holds back what may go on, until something else comes or `flush` is called. */
export interface ChunkJoiner {
  add(chunk: LLMChunk): void;
  flush(): void;
}

/** What a chunk may have: asked of nearly every piece, so that it has to be cheap. */
interface Fields {
  readonly type: string;
  readonly index?: number;
  readonly name?: string;
  readonly text?: string;
  readonly provider?: Json;
}

/**
 * Makes one chunk of neighbours that grow the same part: one read of the network often brings dozens, and everything behind costs by
 * the chunk and not by its length.
 */
export function createChunkJoiner(emit: (chunk: LLMChunk) => void): ChunkJoiner {
  let held: Extract<LLMChunk, { readonly text: string }> | undefined;
  /** Of the call that is held. */
  let call: number | undefined;
  let text = '';

  function flush(): void {
    const whole = held && { ...held, text };
    held = undefined;
    if (whole) emit(whole);
  }

  return {
    flush,
    add(chunk) {
      const { type, index, name, text: more, provider }: Fields = chunk;
      const grows = more !== undefined && provider === undefined;
      if (grows && held?.type === type && call === index && name === undefined) {
        text += more;
        return;
      }
      flush();
      if (grows && 'text' in chunk) {
        held = chunk;
        call = index;
        text = more;
      } else emit(chunk);
    },
  };
}
