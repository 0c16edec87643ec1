import type { Json } from '../json.ts';
import { isMedia, isParts } from '../model/tool-result.ts';
import { isToolPart, type Message, type Part, toolParts, type ToolPart } from '../model/message.ts';
import type { Counter } from './count.ts';
import { estimateText } from './tokens.ts';

/**
 * How long tool outputs may be in a request. Users still see the whole output.
 *
 * Invariant: an agent measures outputs by `estimateText`, also where it has an exact tokenizer: what is shortened then follows from the
 * log and the limit alone, and a request can be rebuilt.
 */
export interface Caps {
  /** Tokens that the outputs of one message may have together. */
  readonly limit: number;
  readonly counter: Pick<Counter, 'text'>;
}

/** Returns the caps of an agent's requests. */
export function estimatedCaps(limit: number): Caps {
  return { limit, counter: { text: estimateText } };
}

/** Outputs below this are not worth a placeholder. Tokens. */
const worthPruning = 100;

/** How a message is called where the model may ask for it: its place in the conversation, from `m1`. */
export function referenceOf(index: number): string {
  return `m${index + 1}`;
}

/** The same message with outputs that are too long for the model cut to head and tail, with a reference to the whole. */
export function capOutputs(message: Message, reference: string, { limit, counter }: Caps): Message {
  const calls = toolParts(message);
  // Each call its share, so that many at once do not pass what one may not.
  const share = Math.max(worthPruning, Math.floor(limit / Math.max(1, calls.length)));
  return withOutputs(message, ({ output }) => {
    const text = asText(output);
    const tokens = text === '' ? 0 : counter.text(text);
    if (tokens <= share) return output;
    const short = shorten(text, share / tokens, tokens, reference);
    return isParts(output) ? [{ type: 'text', text: short }, ...output.filter(isMedia)] : short;
  });
}

/** The same message with its longer outputs left out; always in the same words. */
export function pruneOutputs(message: Message, reference: string, { counter }: Caps): Message {
  return withOutputs(message, ({ output }) => {
    const text = asText(output);
    const tokens = text === '' ? 0 : counter.text(text);
    const hasMedia = isParts(output) && output.some(isMedia);
    return tokens < worthPruning && !hasMedia
      ? output
      : `[Output left out to save room; in full in message ${reference}.]`;
  });
}

/** Head and tail of a text that is `tokens` long, `part` of it together. */
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
