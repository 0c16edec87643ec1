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
    if (held === undefined) return;
    const whole = { ...held, text };
    held = undefined;
    emit(whole);
  }

  return {
    flush,
    add(chunk) {
      const grows = 'text' in chunk && !('provider' in chunk);
      if (grows && held !== undefined && goesOn(held, chunk)) {
        text += chunk.text;
        return;
      }
      flush();
      if (!grows) return emit(chunk);
      held = chunk;
      ({ text } = chunk);
    },
  };
}

function goesOn(before: LLMChunk, chunk: LLMChunk): boolean {
  if (chunk.type !== 'call') return before.type === chunk.type;
  return before.type === 'call' && before.index === chunk.index && chunk.name === undefined;
}
