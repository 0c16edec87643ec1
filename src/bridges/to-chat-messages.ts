import type { Message, Part, ToolPart } from '../core/model/message.ts';
import { extractTextContent, toolParts } from '../core/model/message.ts';
import { isMedia, resultText } from '../core/model/tool-result.ts';

/** A message of OpenAI's chat completions. */
export type ChatMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string | ChatBlock[] }
  | { readonly role: 'assistant'; readonly content: string | null; readonly tool_calls?: ChatCall[] }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };

/** One block of the content of a user message. */
export type ChatBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }
  | { readonly type: 'input_audio'; readonly input_audio: { readonly data: string; readonly format: 'wav' | 'mp3' } }
  | { readonly type: 'file'; readonly file: { readonly filename: string; readonly file_data: string } };

/** A tool call of an assistant message. */
export interface ChatCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

/**
 * Converts messages to those of OpenAI's chat completions, for a fine-tuning file, an evaluation or another program. Reasoning, sources and
 * provider parts are left out. Each call has a result: a call without one states why. `importMessages` of `brooklet/storage` reads them back.
 */
export function toChatMessages(messages: readonly Message[]): ChatMessage[] {
  return messages.flatMap(toChat);
}

function toChat(message: Message): readonly ChatMessage[] {
  const { role, content } = message;
  const text = extractTextContent(message);
  if (role === 'system') return [{ role, content: text }];
  if (role === 'user') return [{ role, content: content.some(isMedia) ? content.flatMap(toBlock) : text }];
  const calls = toolParts(message);
  if (text === '' && calls.length === 0) return [];
  const requested = calls.length > 0 && { tool_calls: calls.map(toCall) };
  return [{ role, content: text || null, ...requested }, ...calls.map(toResult)];
}

function toCall({ callId, name, inputText }: ToolPart): ChatCall {
  return { id: callId, type: 'function', function: { name, arguments: inputText } };
}

function toResult(call: ToolPart): ChatMessage {
  return { role: 'tool', tool_call_id: call.callId, content: resultText(call) };
}

function toBlock(part: Part): readonly ChatBlock[] {
  if (part.type === 'text') return [{ type: 'text', text: part.text }];
  if (!isMedia(part)) return [];
  const { mediaType, data = '', url = `data:${mediaType};base64,${data}`, name = part.type } = part;
  if (part.type === 'image') return [{ type: 'image_url', image_url: { url } }];
  if (part.type === 'audio' && data !== '')
    return [{ type: 'input_audio', input_audio: { data, format: /mp3|mpeg/.test(mediaType) ? 'mp3' : 'wav' } }];
  return data === '' ? [{ type: 'text', text: url }] : [{ type: 'file', file: { filename: name, file_data: url } }];
}
