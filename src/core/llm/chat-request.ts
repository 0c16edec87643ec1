import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { extractTextContent, type MediaPart, type Message, type ReasoningPart, toolParts } from '../message.ts';
import type { LLMRequest } from './client.ts';
import type { ChatCompat } from './compat.ts';
import { toList, toObject } from './loose.ts';
import { isMedia, mediaText, resultMedia, resultText } from './result.ts';

/** The name under which this wire's opaque data stands in a part's `provider`. */
export const chatWire = 'chat-completions';

/**
 * A request as `/chat/completions` wants it. Pure, and stable to the byte: the same messages always give the same JSON, and `messages`
 * stands last, so that a longer conversation begins like the shorter one.
 */
export function toChatBody(request: LLMRequest, model: string | undefined, compat: ChatCompat): JsonObject {
  const { maxTokens, temperature, tools = [], providerParams } = request;
  return {
    model: request.model ?? model,
    stream: true,
    stream_options: compat.streamOptions === false ? undefined : { include_usage: true },
    [compat.maxTokens ?? 'max_tokens']: maxTokens,
    temperature,
    tools:
      tools.length === 0
        ? undefined
        : tools.map(({ name, description, inputSchema }) => toFunction({ name, description, parameters: inputSchema })),
    ...providerParams,
    messages: request.messages.flatMap((message) => toChatMessages(message, compat)),
  };
}

function toFunction(of: JsonObject): JsonObject {
  return { type: 'function', function: of };
}

function toChatMessages(message: Message, compat: ChatCompat): readonly JsonObject[] {
  switch (message.role) {
    case 'system':
      return [{ role: compat.systemRole ?? 'system', content: extractTextContent(message) }];
    case 'user':
      return [{ role: 'user', content: toUserContent(message) }];
    case 'assistant':
      return toReplyMessages(message, compat);
  }
}

/** A plain string where there is only text: not every server reads lists. */
function toUserContent({ content }: Message): Json {
  const texts = content.flatMap((part) => (part.type === 'text' ? part.text : []));
  if (!content.some(isMedia)) return texts.join('\n');
  return content.flatMap((part): JsonObject[] => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }];
    return isMedia(part) ? [toMediaContent(part)] : [];
  });
}

function toMediaContent(part: MediaPart): JsonObject {
  const { type, mediaType, data, name } = part;
  const inline = data === undefined ? undefined : `data:${mediaType};base64,${data}`;
  const url = inline ?? part.url;
  if (type === 'image' && url !== undefined) return { type: 'image_url', image_url: { url } };
  if (type === 'audio' && data !== undefined) {
    const format = mediaType.replace(/^audio\/(x-)?|;.*/g, '').replace('mpeg', 'mp3');
    return { type: 'input_audio', input_audio: { data, format } };
  }
  if (type === 'file' && inline !== undefined)
    return { type: 'file', file: { filename: name ?? 'file', file_data: inline } };
  return { type: 'text', text: mediaText(part) };
}

/** The assistant's message, then each call's result in order, then what a result cannot carry on this wire. */
function toReplyMessages(message: Message, compat: ChatCompat): readonly JsonObject[] {
  const text = extractTextContent(message);
  const calls = toolParts(message).map((part) => ({
    part,
    id: toWireId(part.callId, compat.shortCallIds),
    name: toToolName(part.name),
  }));
  // An empty reply is refused almost everywhere.
  if (text === '' && calls.length === 0) return [];
  const media = calls.flatMap(({ part }) => resultMedia(part));
  return [
    {
      role: 'assistant',
      content: text === '' ? (compat.noContent ?? null) : text,
      ...toReasoning(message, calls.length > 0, compat),
      tool_calls:
        calls.length === 0
          ? undefined
          : calls.map(({ part, id, name }) => ({
              ...ownOf(part.provider),
              id,
              // Input that was not JSON would be refused, on this request and on every one after it.
              ...toFunction({ name, arguments: part.input === undefined ? '{}' : part.inputText }),
            })),
    },
    ...calls.map(({ part, id, name }) => ({
      role: 'tool',
      tool_call_id: id,
      name: compat.resultName === true ? name : undefined,
      content: resultText(part),
    })),
    ...(media.length === 0
      ? []
      : [
          { role: 'user', content: [{ type: 'text', text: 'What the tools returned:' }, ...media.map(toMediaContent)] },
        ]),
  ];
}

function toReasoning(
  { content }: Message,
  hasCalls: boolean,
  { reasoning = 'strip', reasoningField = 'reasoning_content' }: ChatCompat,
): JsonObject {
  if (reasoning === 'strip' || (reasoning === 'tool-turns' && !hasCalls)) return {};
  const thoughts = content.filter((part): part is ReasoningPart => part.type === 'reasoning');
  const details = thoughts.flatMap((part) => toList(ownOf(part.provider).reasoning_details));
  const text = thoughts.map((part) => part.text).join('');
  // Details are the text and more; both would be twice.
  return details.length > 0 ? { reasoning_details: details } : { [reasoningField]: text || undefined };
}

/** What this wire, not another one, wants back. */
function ownOf(provider: Json | undefined): JsonObject {
  return isJsonObject(provider) ? toObject(provider[chatWire]) : {};
}

/** A name as every provider takes it, though a model may have made it up. */
export function toToolName(name: string): string {
  return name.replace(/[^\w-]/g, '_').slice(0, 64) || '_';
}

/** An id as services take it (`short`: nine letters and digits); the same id always gives the same one. */
export function toWireId(callId: string, short = false): string {
  if ((short ? /^[a-z\d]{9}$/i : /^[\w-]{1,40}$/).test(callId)) return callId;
  const room = 36 ** 9;
  let hash = 0;
  for (const char of callId) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) % room;
  return hash.toString(36).padStart(9, '0');
}
