import { type AgentErrorCode, fail } from '../error.ts';
import type { Json } from '../json.ts';
import { type CallStatus, type MediaPart, type Message, type Part, type ToolPart, toolParts } from './message.ts';
import { toObject } from './read-json.ts';

/** The results that the model reads for calls without an output. */
const defaultText: Partial<Record<CallStatus, string>> = {
  succeeded: 'Done; the tool returned nothing.',
  failed: 'The tool failed.',
  'timed-out': 'The tool took too long.',
  invalid: 'The input was wrong, so the tool did not run.',
  expired: 'No person approved this call in time, so it did not run.',
  cancelled: 'The call was cancelled.',
  uncertain: 'The page was closed while this ran: it may have taken effect. Check before you call it again.',
};

/**
 * Returns the text that the model reads as the result of a call: its output, or the reason for a missing output. Every call has such a
 * text, whatever its status, and the same call always the same text. Never throws.
 */
export function resultText({ status, approval, editedInput, output, startedAt }: ToolPart): string {
  if (status === 'rejected')
    return (
      approval?.rejectionText ??
      `${approval?.decidedBy === 'rule' ? 'An approval rule' : 'The user'} rejected this call${startedAt ? '' : ', so it did not run'}.${approval?.reason ? ` Reason: ${approval.reason}` : ''}`
    );
  const text = outputText(output) || (defaultText[status] ?? 'The call has no result yet.');
  // The model has to read that the user ran the call with another input.
  return editedInput === undefined || status === 'invalid'
    ? text
    : `The user changed the input to ${outputText(editedInput)} before it ran.\n\n${text}`;
}

/** Returns the images, sounds and files of a call's result, for wire formats that send them separately from the text. */
export function resultMedia(part: ToolPart): readonly MediaPart[] {
  return isParts(part.output) ? part.output.filter(isMedia) : [];
}

/** Returns the media of a reply that only a user message can contain: images, sounds and files of the reply, then those of its calls. */
export function replyMedia(reply: Message): readonly MediaPart[] {
  return [...reply.content.filter(isMedia), ...toolParts(reply).flatMap(resultMedia)];
}

/** Whether an output is a list of parts, not JSON that happens to be a list. */
export function isParts(output: Json | readonly Part[] | undefined): output is readonly Part[] {
  return Array.isArray(output) && output.length > 0 && output.every(isPart);
}

/** The kinds of parts that a tool may return, by the field that each must have. */
const fields: ReadonlyMap<unknown, string> = new Map([
  ['text', 'text'],
  ['source', 'url'],
  ['image', 'mediaType'],
  ['audio', 'mediaType'],
  ['file', 'mediaType'],
]);

function isPart(item: unknown): boolean {
  const { type, ...rest } = toObject(item);
  return typeof rest[fields.get(type) ?? ''] === 'string';
}

export function isMedia(part: Part): part is MediaPart {
  return fields.get(part.type) === 'mediaType';
}

function outputText(output: Json | readonly Part[] | undefined): string {
  if (output === undefined || output === null) return '';
  if (typeof output === 'string') return output;
  if (isParts(output)) return output.map(partText).filter(Boolean).join('\n');
  try {
    return JSON.stringify(output);
  } catch {
    return 'The tool returned something that cannot be written down.';
  }
}

/** Returns a part as text, empty for a part without text. */
export function partText(part: Part): string {
  if (isMedia(part)) return mediaText(part);
  if (part.type === 'source') return part.title === undefined ? part.url : `${part.title}: ${part.url}`;
  return part.type === 'text' ? part.text : '';
}

/** Returns a placeholder, among text, for media, or for media that a wire format does not support. */
export function mediaText({ type, name, url }: MediaPart): string {
  const what = name ?? (url?.startsWith('data:') ? undefined : url);
  return what === undefined ? `[${type}]` : `[${type}: ${what}]`;
}

/** Returns the content of a text file, `undefined` for any other part: all models read text, few read files. */
export function fileText({ type, mediaType, data, name = type }: MediaPart): string | undefined {
  return type === 'file' && data && /^text|json$|xml$/.test(mediaType)
    ? `${name}:\n${new TextDecoder().decode(toBytes(data))}`
    : undefined;
}

/** @throws AgentError `INVALID_INPUT` for text that is not base64 */
export function toBytes(base64: string): ArrayBuffer {
  return Uint8Array.from(fromBase64(base64), (char) => char.charCodeAt(0)).buffer;
}

/**
 * Decodes base64 to a string of bytes.
 *
 * @throws AgentError `code` for text that is not base64
 */
export function fromBase64(base64: string, code: AgentErrorCode = 'INVALID_INPUT'): string {
  try {
    return atob(base64);
  } catch {
    return fail(code, 'The attached data is not base64: pass it without a `data:` prefix.');
  }
}
