import { isJsonObject } from '../../../core/json.ts';
import type { LLMChunk } from '../../../core/model/llm.ts';
import { toText } from '../../../core/model/read-json.ts';

/**
 * Maps one piece of the Prompt API's stream to chunks: text, or `{type, value}` where there may be calls or reasoning, or a list of these.
 *
 * @param index number of calls before this piece
 */
export function* toBuiltInChunks(piece: unknown, index: number): Generator<LLMChunk> {
  if (typeof piece === 'string') {
    if (piece !== '') yield { type: 'text', text: piece };
  } else if (Array.isArray(piece)) {
    let at = index;
    for (const one of piece)
      for (const chunk of toBuiltInChunks(one, at)) {
        if (chunk.type === 'call-end') at += 1;
        yield chunk;
      }
  } else if (isJsonObject(piece)) {
    const { type, value } = piece;
    if (type === 'text') yield* toBuiltInChunks(value, index);
    else if (type === 'thought' && toText(value) !== '') yield { type: 'reasoning', text: toText(value) };
    else if (type === 'tool-call' && isJsonObject(value)) {
      const name = toText(value.name);
      const inputText = JSON.stringify(value.arguments ?? {});
      yield { type: 'call', index, name, text: inputText };
      yield { type: 'call-end', index, name, inputText, id: toText(value.callId) };
    }
  }
}
