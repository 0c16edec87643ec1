import type { Json } from '../json.ts';
import type { MediaPart, Part, ToolPart } from '../message.ts';
import { toObject } from './loose.ts';

/**
 * What the model is told about a call: its output, or in words why there is none. Every call has such a text, whatever became of it,
 * and the same call always the same one. Never throws.
 */
export function resultText(part: ToolPart): string {
  const said = outputText(part.output);
  switch (part.status) {
    case 'succeeded':
      return afterEdit(part, said || 'Done; the tool returned nothing.');
    case 'failed':
      return afterEdit(part, said || 'The tool failed.');
    case 'timed-out':
      return afterEdit(part, said || 'The tool took too long.');
    case 'invalid':
      return said || 'The input was wrong, so the tool did not run.';
    case 'rejected':
      return `${part.approval?.by === 'policy' ? 'A policy' : 'The user'} rejected this call, so it did not run.${part.approval?.reason ? ` Reason: ${part.approval.reason}` : ''}`;
    case 'expired':
      return 'Nobody approved this call in time, so it did not run.';
    case 'cancelled':
      return said || 'The call was cancelled.';
    case 'uncertain':
      return said || 'The page was closed while this ran: it may have taken effect. Check before you call it again.';
    case 'streaming':
    case 'requested':
    case 'held':
    case 'approved':
    case 'edited':
    case 'started':
      return 'The call has no result yet.';
  }
}

/** The images, sounds and files of a call's result, for wires that take them apart from its text. */
export function resultMedia(part: ToolPart): readonly MediaPart[] {
  return isParts(part.output) ? part.output.filter(isMedia) : [];
}

/** Whether an output is a list of parts, not JSON that happens to be a list. */
export function isParts(output: Json | readonly Part[] | undefined): output is readonly Part[] {
  return Array.isArray(output) && output.length > 0 && output.every(isPart);
}

/** The kinds of parts that a tool may return: text, sources and media, by the field that each must have. */
function isPart(item: unknown): boolean {
  const { type, text, url, mediaType } = toObject(item);
  const must =
    type === 'text'
      ? text
      : type === 'source'
        ? url
        : type === 'image' || type === 'audio' || type === 'file'
          ? mediaType
          : undefined;
  return typeof must === 'string';
}

export function isMedia(part: Part): part is MediaPart {
  return part.type === 'image' || part.type === 'audio' || part.type === 'file';
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

function partText(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'source':
      return part.title === undefined ? part.url : `${part.title}: ${part.url}`;
    case 'image':
    case 'audio':
    case 'file':
      return mediaText(part);
    case 'reasoning':
    case 'provider':
    case 'tool':
      return '';
  }
}

/** Stands in, among text, for what is no text. */
export function mediaText({ type, name, url }: MediaPart): string {
  const what = name ?? (url !== undefined && !url.startsWith('data:') ? url : undefined);
  return what === undefined ? `[${type}]` : `[${type}: ${what}]`;
}

/** The model asked for one thing and a person ran another: it has to know. */
function afterEdit(part: ToolPart, text: string): string {
  if (part.editedInput === undefined) return text;
  return `The user changed the input to ${outputText(part.editedInput)} before it ran.\n\n${text}`;
}
