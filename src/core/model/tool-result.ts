import { type AgentErrorCode, fail } from '../error.ts';
import type { Json } from '../json.ts';
import { type CallStatus, type MediaPart, type Message, type Part, type ToolPart, toolParts } from './message.ts';
import { toObject } from './read-json.ts';

/** What the model is told of a call that ended without a word. */
const silent: Partial<Record<CallStatus, string>> = {
  succeeded: 'Done; the tool returned nothing.',
  failed: 'The tool failed.',
  'timed-out': 'The tool took too long.',
  invalid: 'The input was wrong, so the tool did not run.',
  expired: 'Nobody approved this call in time, so it did not run.',
  cancelled: 'The call was cancelled.',
  uncertain: 'The page was closed while this ran: it may have taken effect. Check before you call it again.',
};

/**
 * What the model is told about a call: its output, or in words why there is none. Every call has such a text, whatever became of it,
 * and the same call always the same one. Never throws.
 */
export function resultText({ status, approval, editedInput, output }: ToolPart): string {
  if (status === 'rejected')
    return (
      approval?.rejectionText ??
      `${approval?.decidedBy === 'rule' ? 'An approval rule' : 'The user'} rejected this call, so it did not run.${approval?.reason ? ` Reason: ${approval.reason}` : ''}`
    );
  const said = outputText(output) || (silent[status] ?? 'The call has no result yet.');
  // The model asked for one thing and a person ran another: it has to know.
  return editedInput === undefined || status === 'invalid'
    ? said
    : `The user changed the input to ${outputText(editedInput)} before it ran.\n\n${said}`;
}

/** The images, sounds and files of a call's result, for wires that take them apart from its text. */
export function resultMedia(part: ToolPart): readonly MediaPart[] {
  return isParts(part.output) ? part.output.filter(isMedia) : [];
}

/** What of a reply only a person can show to a model: images, sounds and files that it made itself, then those of its calls. */
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

/** A part as text, empty where it has none. */
export function partText(part: Part): string {
  if (isMedia(part)) return mediaText(part);
  if (part.type === 'source') return part.title === undefined ? part.url : `${part.title}: ${part.url}`;
  return part.type === 'text' ? part.text : '';
}

/** Stands in, among text, for what is no text, or for what a wire cannot carry. */
export function mediaText({ type, name, url }: MediaPart): string {
  const what = name ?? (url?.startsWith('data:') ? undefined : url);
  return what === undefined ? `[${type}]` : `[${type}: ${what}]`;
}

/** What is in a file that is text: all models read that, few read files. */
export function fileText({ type, mediaType, data, name = type }: MediaPart): string | undefined {
  return type === 'file' && data && /^text|json$|xml$/.test(mediaType)
    ? `${name}:\n${new TextDecoder().decode(toBytes(data))}`
    : undefined;
}

/** @throws AgentError `INVALID_INPUT` */
export function toBytes(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(fromBase64(base64), (char) => char.charCodeAt(0));
}

/** Base64 as a string of bytes. Throws AgentError. */
export function fromBase64(base64: string, code: AgentErrorCode = 'INVALID_INPUT'): string {
  try {
    return atob(base64);
  } catch {
    return fail(code, 'What is attached is no base64.');
  }
}
