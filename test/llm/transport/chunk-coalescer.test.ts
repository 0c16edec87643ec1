import { describe, expect, it } from 'vitest';
import type { LLMChunk } from '../../../src/core/model/llm.ts';
import { createChunkCoalescer } from '../../../src/llm/transport/chunk-coalescer.ts';

/** The chunks that are emitted for chunks of one network read. */
function join(...chunks: readonly LLMChunk[]): readonly LLMChunk[] {
  const joined: LLMChunk[] = [];
  const coalescer = createChunkCoalescer((chunk) => joined.push(chunk));
  for (const chunk of chunks) coalescer.add(chunk);
  coalescer.flush();
  return joined;
}

const text = (said: string): LLMChunk => ({ type: 'text', text: said });
const thought = (said: string): LLMChunk => ({ type: 'reasoning', text: said });
const call = (index: number, piece: string, name?: string): LLMChunk => ({
  type: 'call',
  index,
  ...(name !== undefined && { name }),
  text: piece,
});
const finish: LLMChunk = { type: 'finish', reason: 'stop' };

describe('the chunks of one network read', () => {
  it('are joined where they grow the same part', () => {
    expect(join(text('a'), text('b'), text('c'))).toEqual([text('abc')]);
    expect(join(thought('a'), thought('b'))).toEqual([thought('ab')]);
    expect(join(call(0, '{', 'write'), call(0, '"a"'), call(0, ':1}'))).toEqual([call(0, '{"a":1}', 'write')]);
  });

  it('are kept separate and in order where they do not', () => {
    const apart = [thought('a'), text('b'), call(0, 'c', 'one'), call(1, 'd', 'one'), call(0, 'e'), text('f'), finish];
    expect(join(...apart)).toEqual(apart);
  });

  it('are kept separate where a name starts another call, or opaque data closes the reasoning', () => {
    const seal: LLMChunk = { type: 'reasoning', text: '', provider: { signature: 's' } };
    const apart = [call(0, 'a', 'one'), call(0, 'b', 'two'), thought('c'), seal, thought('d')];
    expect(join(...apart)).toEqual(apart);
  });

  it('are buffered until another kind of chunk arrives, or a flush', () => {
    const emitted: LLMChunk[] = [];
    const coalescer = createChunkCoalescer((chunk) => emitted.push(chunk));
    coalescer.add(text('a'));
    coalescer.add(text('b'));
    expect(emitted).toEqual([]);
    coalescer.add(finish);
    expect(emitted).toEqual([text('ab'), finish]);
    coalescer.add(text('c'));
    coalescer.flush();
    coalescer.flush();
    expect(emitted).toEqual([text('ab'), finish, text('c')]);
  });
});
