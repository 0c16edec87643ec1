import type { LLMChunk } from './client.ts';

/** Holds back what may go on, until something else comes or `flush` is called. */
export interface ChunkJoiner {
  add(chunk: LLMChunk): void;
  flush(): void;
}

/**
 * Makes one chunk of neighbours that grow the same part: one read of the network often brings dozens, and everything behind costs by
 * the chunk and not by its length.
 */
export function createChunkJoiner(emit: (chunk: LLMChunk) => void): ChunkJoiner {
  let held: Extract<LLMChunk, { readonly text: string }> | undefined;
  let text = '';

  function flush(): void {
    const whole = held && { ...held, text };
    held = undefined;
    if (whole) emit(whole);
  }

  return {
    flush,
    add(chunk) {
      const grows = 'text' in chunk && !('provider' in chunk);
      if (grows && held?.type === chunk.type && indexOf(held) === indexOf(chunk) && !('name' in chunk))
        text += chunk.text;
      else {
        flush();
        if (!grows) return emit(chunk);
        held = chunk;
        ({ text } = chunk);
      }
    },
  };
}

/** Of the call that it is a piece of. */
function indexOf(chunk: LLMChunk): number | undefined {
  return 'index' in chunk ? chunk.index : undefined;
}
