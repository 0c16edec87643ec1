import { isJsonObject, type Json, type JsonObject, parseJson } from '../core/json.ts';
import { isToolPart, type MediaPart, type Part, type ToolPart } from '../core/model/message.ts';
import { toList, toObject, toText } from '../core/model/read-json.ts';

/** A message of another page, for `AgentSession.addMessage`. */
export interface ForeignMessage {
  readonly id: string;
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: readonly Part[];
}

type Draft = ForeignMessage & { readonly content: Part[] };

/**
 * Converts AG-UI messages to messages for `AgentSession.addMessage`. Calls are closed records and never run: a call with a result has
 * succeeded or failed, a call without one is cancelled. Activities and messages without content are left out.
 */
export function fromAGUIMessages(messages: readonly Json[]): readonly ForeignMessage[] {
  const drafts: Draft[] = [];
  /** Where the calls of other messages are, by id. */
  const calls = new Map<string, { readonly content: Part[]; readonly index: number }>();
  /** Reasoning that belongs to the next message of the assistant. */
  let reasoning: Part[] = [];

  function addResult({ toolCallId, content, error }: JsonObject): void {
    const place = calls.get(toText(toolCallId));
    const call = place?.content[place.index];
    if (!place || !call || !isToolPart(call)) return;
    const isError = toText(error) !== '';
    place.content[place.index] = {
      ...call,
      status: isError ? 'failed' : 'succeeded',
      output: toOutput(content),
      isError,
    };
  }

  for (const message of messages.map(toObject)) {
    const { role, content } = message;
    if (role === 'tool') addResult(message);
    else if (role === 'reasoning') reasoning.push(...textParts('reasoning', content));
    else if (role === 'user' || role === 'system' || role === 'developer' || role === 'assistant') {
      const parts = role === 'assistant' ? [...reasoning, ...toParts(content)] : [...toParts(content)];
      reasoning = [];
      for (const call of toList(message.toolCalls).map(toObject)) {
        const index = parts.push(toCall(call)) - 1;
        calls.set(toText(call.id), { content: parts, index });
      }
      if (parts.length > 0)
        drafts.push({ id: toText(message.id), role: role === 'developer' ? 'system' : role, content: parts });
    }
  }
  return drafts;
}

function toCall({ id, function: called }: JsonObject): ToolPart {
  const { name, arguments: text } = toObject(called);
  const input = parseJson(toText(text));
  return {
    type: 'tool',
    callId: toText(id),
    name: toText(name),
    status: 'cancelled',
    inputText: toText(text),
    ...(isJsonObject(input) && { input }),
  };
}

/** Returns the result of a call: a text, or parts. */
export function toOutput(content: Json | undefined): Json | readonly Part[] {
  return typeof content === 'string' ? content : toParts(content);
}

function textParts(type: 'text' | 'reasoning', text: Json | undefined): readonly Part[] {
  return toText(text) === '' ? [] : [{ type, text: toText(text) }];
}

function toParts(content: Json | undefined): readonly Part[] {
  if (typeof content === 'string') return textParts('text', content);
  return toList(content).flatMap((part) => toPart(toObject(part)));
}

function toPart({ type, text, source, mimeType, data, url, filename }: JsonObject): readonly Part[] {
  switch (type) {
    case 'text':
      return textParts('text', text);
    case 'image':
    case 'audio':
    case 'video':
    case 'document':
      return mediaPart(type, toObject(source));
    // Of AG-UI before 1.0.
    case 'binary':
      return mediaPart('', { type: data === undefined ? 'url' : 'data', value: data ?? url, mimeType, filename });
    default:
      return [];
  }
}

function mediaPart(kind: string, { type, value, mimeType, filename }: JsonObject): readonly MediaPart[] {
  const mediaType = toText(mimeType) || (kind === 'image' ? 'image/*' : 'application/octet-stream');
  const name = toText(filename);
  const [family = ''] = (kind === '' ? mediaType : kind).split('/');
  if (toText(value) === '') return [];
  return [
    {
      type: family === 'image' || family === 'audio' ? family : 'file',
      mediaType,
      ...(type === 'url' ? { url: toText(value) } : { data: toText(value) }),
      ...(name && { name }),
    },
  ];
}
