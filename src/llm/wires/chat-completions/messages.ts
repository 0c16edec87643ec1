import type { Json, JsonObject } from '../../../core/json.ts';
import {
  placeOf,
  extractTextContent,
  type MediaPart,
  type Message,
  type Part,
  type ToolPart,
  toolParts,
} from '../../../core/model/message.ts';
import type { ChatCompat } from './compat.ts';
import { toList, toObject, toText } from '../../../core/model/read-json.ts';
import { afterPauses } from '../../transport/paused.ts';
import { isFrom, providerData } from '../../transport/provider-data.ts';
import { fileText, isMedia, mediaText, partText, replyMedia, resultText } from '../../../core/model/tool-result.ts';
import { createWireIds, toToolName } from '../../transport/wire-name.ts';

/** The key of this wire's opaque data in a part's `provider`. */
export const chatWire = 'chat-completions';

/**
 * Maps a conversation to the messages of `/chat/completions`: text, calls and their results, media, reasoning. Pure, and stable to the
 * byte.
 *
 * @param promptId id of the message that the run answers
 * @param host host and port of the service
 */
export function toChatMessages(
  messages: readonly Message[],
  compat: ChatCompat,
  promptId?: string,
  host?: string,
): readonly JsonObject[] {
  const { reasoning = 'strip', foreignCall, ...known } = compat;
  const idOf = createWireIds(messages, host, compat.shortCallIds);
  const begin = placeOf(messages, promptId);
  const toolTurns = toolTurnsOf(messages);
  const wireMessages = afterPauses(messages).flatMap((message, index) => {
    const keeps = reasoning === 'keep' || (reasoning !== 'strip' && toolTurns.has(message));
    const current = index > begin;
    return toWireMessages(message, {
      ...known,
      reasoning,
      host,
      idOf,
      keeps,
      foreignCall: current ? foreignCall : undefined,
    });
  });
  return toTurns(wireMessages, compat);
}

/** What the mapping of one message depends on. */
interface Mapping extends Omit<ChatCompat, 'foreignCall'> {
  readonly host: string | undefined;
  readonly idOf: (call: ToolPart) => string;
  /** Whether the reasoning of the message is sent back. */
  readonly keeps: boolean;
  readonly foreignCall: JsonObject | undefined;
}

/** Returns the replies of the turns that call tools, from the first call on. A turn is all replies between two messages of the user. */
function toolTurnsOf(messages: readonly Message[]): ReadonlySet<Message> {
  const found = new Set<Message>();
  let hasCalls = false;
  for (const message of messages) {
    hasCalls = message.role !== 'user' && (hasCalls || toolParts(message).length > 0);
    if (hasCalls && message.role === 'assistant') found.add(message);
  }
  return found;
}

/** Merges or separates turns for a service that allows a user message only after an assistant message. */
function toTurns(messages: readonly JsonObject[], { alternate = false }: ChatCompat): readonly JsonObject[] {
  if (!alternate) return messages;
  const turns: JsonObject[] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    const isUser = message.role === 'user';
    if (isUser && last?.role === 'user')
      turns[turns.length - 1] = { ...last, content: [...toBlocks(last.content), ...toBlocks(message.content)] };
    else turns.push(...(isUser && last?.role === 'tool' ? [{ role: 'assistant', content: '…' }] : []), message);
  }
  return turns;
}

function toBlocks(content: Json | undefined): readonly Json[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : toList(content);
}

/** Empty lists are refused. */
function unlessEmpty(list: readonly Json[]): readonly Json[] | undefined {
  return list.length === 0 ? undefined : list;
}

function toWireMessages(message: Message, compat: Mapping): readonly JsonObject[] {
  switch (message.role) {
    case 'system': {
      const wireMessage = toUserMessage(message.content);
      // Instructions must be text; with media they are sent as the user's message.
      return [
        typeof wireMessage.content === 'string' ? { ...wireMessage, role: compat.systemRole ?? 'system' } : wireMessage,
      ];
    }
    case 'user':
      return [toUserMessage(message.content)];
    case 'assistant':
      return toReplyMessages(message, compat);
  }
}

/** The content is a plain string where there is only text: not every server reads lists. */
function toUserMessage(parts: readonly Part[]): JsonObject {
  const content = parts.flatMap((part): JsonObject[] => (isMedia(part) ? [toMediaContent(part)] : toTextContent(part)));
  const texts = content.flatMap(({ text }) => toText(text) || []);
  return { role: 'user', content: texts.length < content.length ? content : texts.join('\n') };
}

function toTextContent(part: Part): JsonObject[] {
  const text = partText(part);
  return text === '' ? [] : [{ type: 'text', text }];
}

function toMediaContent(part: MediaPart): JsonObject {
  const { type, mediaType, data, name } = part;
  const inline = data && `data:${mediaType};base64,${data}`;
  const url = inline ?? part.url;
  const text = fileText(part);
  if (type === 'image' && url) return { type: 'image_url', image_url: { url } };
  if (type === 'audio' && data) {
    const format = mediaType.replace(/^audio\/(x-)?|;.*/g, '').replace('mpeg', 'mp3');
    return { type: 'input_audio', input_audio: { data, format } };
  }
  if (type === 'file' && inline && text === undefined)
    return { type, file: { filename: name ?? type, file_data: inline } };
  return { type: 'text', text: text ?? mediaText(part) };
}

/** The assistant's message, then each call's result in order, then media as a user message: neither of the others may contain media on this wire. */
function toReplyMessages(message: Message, compat: Mapping): readonly JsonObject[] {
  const calls = toolParts(message);
  const media = replyMedia(message);
  const text = extractTextContent(message) || (calls.length === 0 ? media.map(mediaText).join('\n') : '');
  // An empty reply is refused almost everywhere.
  if (text === '' && calls.length === 0) return [];
  const { host, idOf, foreignCall } = compat;
  return [
    {
      role: 'assistant',
      content: text || (compat.noContent ?? null),
      ...toReasoning(message, calls.length > 0, compat),
      tool_calls: unlessEmpty(
        calls.map((part, index) => ({
          ...(index === 0 && isForeign(part, host) && foreignCall),
          ...providerData(part.provider, chatWire, host),
          id: idOf(part),
          type: 'function',
          // Input that is not JSON would be refused, in this request and in every later one.
          function: { name: toToolName(part.name), arguments: part.input ? part.inputText : '{}' },
        })),
      ),
    },
    ...calls.map((part) => ({
      role: 'tool',
      tool_call_id: idOf(part),
      name: compat.resultName ? toToolName(part.name) : undefined,
      content: resultText(part),
    })),
    ...(media.length === 0 ? [] : [toUserMessage([{ type: 'text', text: 'Attached to the above:' }, ...media])]),
  ];
}

function toReasoning(
  { content }: Message,
  hasCalls: boolean,
  { host, keeps, reasoning, reasoningField = 'reasoning_content' }: Mapping,
): JsonObject {
  if (!keeps) return {};
  const reasoningParts = content.filter((part) => part.type === 'reasoning');
  const details = unlessEmpty(
    reasoningParts.flatMap((part) => toList(providerData(part.provider, chatWire, host).reasoning_details)),
  );
  // The details contain the text; both fields would send the text twice.
  if (details) return { reasoning_details: details };
  const text = reasoningParts.map((part) => part.text).join('');
  return { [reasoningField]: text || (hasCalls && reasoning === 'required' ? noReasoning : undefined) };
}

/** Stands for reasoning that does not exist. Some services take an empty text for a missing field. */
const noReasoning = '…';

/** Whether another service sent a call. */
function isForeign({ provider }: ToolPart, host: string | undefined): boolean {
  return toText(toObject(provider).host) === '' || !isFrom(provider, host);
}
