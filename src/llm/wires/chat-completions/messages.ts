import type { Json, JsonObject } from '../../../core/json.ts';
import {
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
import { fileText, isMedia, mediaText, partText, replyMedia, resultText } from '../../../core/model/tool-result.ts';
import { toToolName, toWireId } from '../../transport/wire-name.ts';

/** The name under which this wire's opaque data stands in a part's `provider`. */
export const chatWire = 'chat-completions';

/**
 * A conversation as `/chat/completions` wants it, whatever is in it: calls and their results, media, thoughts. Pure, and stable to the
 * byte.
 *
 * @param question id of the message that the run answers
 */
export function toChatMessages(
  messages: readonly Message[],
  compat: ChatCompat,
  question?: string,
): readonly JsonObject[] {
  const begin = messages.findIndex(({ id }) => id === question);
  // What was thought in a run's tool loop goes back until the run is over, and no longer.
  const earlier: ChatCompat = compat.reasoning === 'tool-turns' ? { ...compat, reasoning: 'strip' } : compat;
  return toTurns(
    afterPauses(messages).flatMap((message, index) => toWireMessages(message, index < begin ? earlier : compat)),
    compat,
  );
}

/** As a service wants them that has the user speak after the assistant only. */
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

function toWireMessages(message: Message, compat: ChatCompat): readonly JsonObject[] {
  const said = toUserMessage(message.content);
  switch (message.role) {
    case 'system':
      // Instructions are text; what is more than that, a person may say.
      return [typeof said.content === 'string' ? { ...said, role: compat.systemRole ?? 'system' } : said];
    case 'user':
      return [said];
    case 'assistant':
      return toReplyMessages(message, compat);
  }
}

/** Its content is a plain string where there is only text: not every server reads lists. */
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

/** The assistant's message, then each call's result in order, then what neither can carry on this wire. */
function toReplyMessages(message: Message, compat: ChatCompat): readonly JsonObject[] {
  const calls = toolParts(message);
  const media = replyMedia(message);
  const text = extractTextContent(message) || (calls.length === 0 ? media.map(mediaText).join('\n') : '');
  // An empty reply is refused almost everywhere.
  if (text === '' && calls.length === 0) return [];
  const idOf = ({ callId }: ToolPart): string => toWireId(callId, compat.shortCallIds);
  return [
    {
      role: 'assistant',
      content: text || (compat.noContent ?? null),
      ...toReasoning(message, calls.length > 0, compat),
      tool_calls: unlessEmpty(
        calls.map((part) => ({
          ...ownOf(part.provider),
          id: idOf(part),
          type: 'function',
          // Input that was not JSON would be refused, on this request and on every one after it.
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
  { reasoning = 'strip', reasoningField = 'reasoning_content' }: ChatCompat,
): JsonObject {
  if (reasoning === 'strip' || (reasoning === 'tool-turns' && !hasCalls)) return {};
  const thoughts = content.filter((part) => part.type === 'reasoning');
  const details = unlessEmpty(thoughts.flatMap((part) => toList(ownOf(part.provider).reasoning_details)));
  // Details are the text and more; both would be twice.
  if (details) return { reasoning_details: details };
  return { [reasoningField]: thoughts.map((part) => part.text).join('') || undefined };
}

/** What this wire, not another one, wants back. */
function ownOf(provider: Json | undefined): JsonObject {
  return toObject(toObject(provider)[chatWire]);
}
