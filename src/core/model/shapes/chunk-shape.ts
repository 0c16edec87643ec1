import { fail } from '../../error.ts';
import { isJsonObject } from '../../json.ts';
import { copyJson } from '../copy-json.ts';
import type { LLMChunk } from '../llm.ts';
import type { Usage } from '../message.ts';
import { type Fields, type FieldsByType, string, typed, word } from './fields.ts';
import { finish } from './message-shape.ts';
import { part } from './part-shape.ts';
import { anything, count, maybe, object, range, type Shape } from './shape.ts';

/** Tokens, which a provider may state as a fraction. */
const tokens = range(0);

const usage: Shape = object({
  input: tokens,
  output: tokens,
  cached: maybe(tokens),
  reasoning: maybe(tokens),
  cacheRead: maybe(tokens),
  cacheWritten: maybe(tokens),
} satisfies Fields<Usage>);

const fields: FieldsByType<LLMChunk> = {
  text: { text: string },
  reasoning: { text: string, provider: anything },
  call: { index: count(), name: maybe(word), text: string },
  'call-end': { index: count(), id: maybe(string), name: word, inputText: string, provider: anything },
  part: { part },
  usage: { usage },
  finish: { reason: finish, raw: maybe(string), model: maybe(string) },
};
const shape = typed<LLMChunk>(fields);

/**
 * Returns a copy of a chunk of a client with the fields of its type and no others. Invariant: a client that changes an object after it has
 * emitted it does not change the log.
 *
 * @throws AgentError `STREAM_MALFORMED` with the type of the chunk and the field that does not fit
 */
export function readChunk(chunk: unknown): LLMChunk {
  if (isText(chunk)) return { type: chunk.type, text: chunk.text };
  const copy = toPlain(chunk);
  const flaw = shape(copy, '');
  if (flaw)
    fail('STREAM_MALFORMED', `${nameOf(copy)} of the client is malformed: \`${flaw.field || 'it'}\` ${flaw.reason}.`);
  // Parse boundary: the shape has just checked the value.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return copy as LLMChunk;
}

/** Nearly every chunk is a piece of text or reasoning: it has no other field, and needs no walk. */
function isText(chunk: unknown): chunk is { readonly type: 'text' | 'reasoning'; readonly text: string } {
  return (
    isJsonObject(chunk) &&
    (chunk.type === 'text' || (chunk.type === 'reasoning' && chunk.provider === undefined)) &&
    typeof chunk.text === 'string'
  );
}

function toPlain(chunk: unknown): unknown {
  if (!isJsonObject(chunk)) return chunk;
  const { type } = chunk;
  if (typeof type !== 'string' || !Object.hasOwn(fields, type)) return { type };
  return copyJson(chunk, `A chunk "${type}" of the client`, 'STREAM_MALFORMED');
}

function nameOf(chunk: unknown): string {
  if (!isJsonObject(chunk))
    return `A chunk (${chunk === null ? 'null' : Array.isArray(chunk) ? 'a list' : typeof chunk})`;
  return `A chunk ${JSON.stringify(chunk.type) ?? 'without a type'}`;
}
