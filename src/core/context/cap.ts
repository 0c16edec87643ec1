import type { Json } from '../json.ts';
import { isMedia, isParts } from '../model/tool-result.ts';
import { isToolPart, type Message, type Part, toolParts, type ToolPart } from '../model/message.ts';
import type { Counter } from './count.ts';
import { estimateText } from './tokens.ts';

/**
 * Limits of the tool outputs in a request. Users still see the whole outputs.
 *
 * Invariant: an agent measures outputs by `estimateText`, even when it has an exact tokenizer. The shortening then depends on the log and
 * the limit alone, so that a request can be rebuilt.
 */
export interface Caps {
  /** Maximum tokens of the outputs of one message together. */
  readonly limit: number;
  readonly counter: Pick<Counter, 'text'>;
}

/** Returns the caps of an agent's requests. */
export function estimatedCaps(limit: number): Caps {
  return { limit, counter: { text: estimateText } };
}

/** Tokens. A shorter output is not replaced: a placeholder would save too little. */
const minPrunable = 100;

/** Returns the name by which the model refers to a message: its position in the conversation, from `m1`. */
export function referenceOf(index: number): string {
  return `m${index + 1}`;
}

/** Returns the message with outputs beyond the limit shortened to head and tail, with a reference to the whole output. */
export function capOutputs(message: Message, reference: string, { limit, counter }: Caps): Message {
  const calls = toolParts(message);
  // The limit is divided among the calls, so that many calls together stay within it.
  const share = Math.max(minPrunable, Math.floor(limit / Math.max(1, calls.length)));
  return withOutputs(message, ({ output }) => {
    const text = asText(output);
    const tokens = text === '' ? 0 : counter.text(text);
    if (tokens <= share) return output;
    const short = shorten(text, share / tokens, tokens, reference);
    return isParts(output) ? [{ type: 'text', text: short }, ...output.filter(isMedia)] : short;
  });
}

/** Returns the message with its longer outputs, and outputs with media, replaced by a placeholder. The same placeholder for a reference. */
export function pruneOutputs(message: Message, reference: string, { counter }: Caps): Message {
  return withOutputs(message, ({ output }) => {
    const text = asText(output);
    const tokens = text === '' ? 0 : counter.text(text);
    const hasMedia = isParts(output) && output.some(isMedia);
    return tokens < minPrunable && !hasMedia
      ? output
      : `[Output left out to save room; in full in message ${reference}.]`;
  });
}

/** Returns head and tail of a text of `tokens` tokens; `part` (0 to 1) is the share of the text to keep. */
export function shorten(text: string, part: number, tokens: number, reference: string): string {
  const room = Math.floor(text.length * part);
  const head = text.slice(0, Math.ceil(room * 0.7)).replace(/[\ud800-\udbff]$/, '');
  const tail = text.slice(text.length - Math.floor(room * 0.3)).replace(/^[\udc00-\udfff]/, '');
  return `${head}\n[… about ${Math.round(tokens * (1 - part))} tokens left out here; in full in message ${reference} …]\n${tail}`;
}

function withOutputs(message: Message, change: (call: ToolPart) => ToolPart['output']): Message {
  let changed = false;
  const content = message.content.map((part): Part => {
    if (!isToolPart(part) || part.output === undefined) return part;
    const output = change(part);
    if (output === undefined || output === part.output) return part;
    changed = true;
    return { ...part, output };
  });
  return changed ? { ...message, content } : message;
}

function asText(output: Json | readonly Part[] | undefined): string {
  if (output === undefined || output === null) return '';
  if (typeof output === 'string') return output;
  if (isParts(output)) return output.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  return JSON.stringify(output);
}
