import { describe, expect, it } from 'vitest';
import type { LLMChunk } from '../../../src/core/model/llm.ts';
import { createChunkCoalescer } from '../../../src/llm/transport/chunk-coalescer.ts';

/** What comes of chunks that came in one go. */
function join(...chunks: readonly LLMChunk[]): readonly LLMChunk[] {
  const joined: LLMChunk[] = [];
  const joiner = createChunkCoalescer((chunk) => joined.push(chunk));
  for (const chunk of chunks) joiner.add(chunk);
  joiner.flush();
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

describe('chunks that came in one go', () => {
  it('are one where they grow the same part', () => {
    expect(join(text('a'), text('b'), text('c'))).toEqual([text('abc')]);
    expect(join(thought('a'), thought('b'))).toEqual([thought('ab')]);
    expect(join(call(0, '{', 'write'), call(0, '"a"'), call(0, ':1}'))).toEqual([call(0, '{"a":1}', 'write')]);
  });

  it('stay apart, in order, where they do not', () => {
    const apart = [thought('a'), text('b'), call(0, 'c', 'one'), call(1, 'd', 'one'), call(0, 'e'), text('f'), finish];
    expect(join(...apart)).toEqual(apart);
  });

  it('stay apart where a name begins another call, or a seal closes a thought', () => {
    const seal: LLMChunk = { type: 'reasoning', text: '', provider: { signature: 's' } };
    const apart = [call(0, 'a', 'one'), call(0, 'b', 'two'), thought('c'), seal, thought('d')];
    expect(join(...apart)).toEqual(apart);
  });

  it('are held back until something else comes, or no more does', () => {
    const told: LLMChunk[] = [];
    const joiner = createChunkCoalescer((chunk) => told.push(chunk));
    joiner.add(text('a'));
    joiner.add(text('b'));
    expect(told).toEqual([]);
    joiner.add(finish);
    expect(told).toEqual([text('ab'), finish]);
    joiner.add(text('c'));
    joiner.flush();
    joiner.flush();
    expect(told).toEqual([text('ab'), finish, text('c')]);
  });
});
