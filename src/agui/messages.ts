import { defined, type Json } from '../core/json.ts';
import { toList, toObject, toText } from '../core/model/read-json.ts';
import { isEnded } from '../core/model/call-status.ts';
import { fileText, isMedia, mediaText, partText, resultMedia, resultText } from '../core/model/tool-result.ts';
import { extractTextContent, type MediaPart, type Message, type Part, type ToolPart } from '../core/model/message.ts';
import { providerData } from '../llm/transport/provider-data.ts';
import type { AGUIMessage, AGUIPart, AGUIToolCall } from './event.ts';

/** Name of the tool whose calls are the interrupts of a remote agent. */
export const interruptTool = 'agui_interrupt';
/** The key of the remote agent's opaque data in a part's `provider`. */
export const aguiWire = 'agui';
/** Name of the provider part before the content of each message of a remote agent; `data` is `{ messageId }`. */
export const messageMark = 'agui.message';
/** Name of the provider part of a tool that ran at the remote agent; `data` is a `RemoteCall`. */
export const remoteCall = 'agui.tool';

/** Name of the provider part of a step of a remote agent; `data` is `{ stepName, status }`, the status `started` or `finished`. */
export const stepMark = 'agui.step';

/** A tool that ran at the remote agent. Without `resultId` there is no result. */
export interface RemoteCall {
  readonly toolCallId: string;
  readonly name: string;
  /** JSON text. */
  readonly input: string;
  readonly resultId?: string;
  readonly output?: Json;
  /** Whether an earlier reply has the call without a result: an interrupt came in between. */
  readonly resumed?: boolean;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };
type AssistantMessage = Mutable<Extract<AGUIMessage, { readonly role: 'assistant' }>> & { toolCalls?: AGUIToolCall[] };

/**
 * Maps a conversation to AG-UI messages. The messages of a remote agent are sent back one by one under their own ids, so that an agent with
 * a memory recognizes them.
 */
export function toAGUIMessages(messages: readonly Message[]): readonly AGUIMessage[] {
  return messages.flatMap((message): readonly AGUIMessage[] => {
    const { role, content } = message;
    if (role === 'assistant') return fromReply(message);
    const id = foreignId(message) ?? message.id;
    if (role === 'system') return [{ id, role, content: extractTextContent(message) }];
    return [{ id, role, content: content.some(isMedia) ? content.flatMap(toPart) : content.map(partText).join('\n') }];
  });
}

/** Returns the id of a user message in the page that sent it by AG-UI. */
export function foreignId({ metadata }: Pick<Message, 'metadata'>): string | undefined {
  return toText(toObject(metadata?.[aguiWire]).messageId) || undefined;
}

/** A reply is one message of the session, and as many AG-UI messages as the agent started. */
function fromReply({ id, content }: Message): readonly AGUIMessage[] {
  const all: AGUIMessage[] = [];
  let results: AGUIMessage[] = [];
  let message: AssistantMessage = { id, role: 'assistant' };

  function begin(nextId: string): void {
    if (message.content !== undefined || message.toolCalls) all.push(message, ...results);
    results = [];
    message = { id: nextId, role: 'assistant' };
  }

  function addCall(call: AGUIToolCall, result: AGUIMessage | undefined): void {
    (message.toolCalls ??= []).push(call);
    if (result) results.push(result);
  }

  /** Encrypted values, by the message or call that they belong to. */
  const encrypted = content.flatMap((part) =>
    part.type === 'reasoning' ? [providerData(part.provider, aguiWire)] : [],
  );
  for (const part of content) {
    if (part.type === 'reasoning') {
      const { subtype, entityId, encryptedValue } = providerData(part.provider, aguiWire);
      if (subtype === 'message')
        all.push({
          id: toText(entityId),
          role: 'reasoning',
          content: part.text,
          encryptedValue: toText(encryptedValue),
        });
    } else if (part.type === 'tool') {
      // The answer to an interrupt is sent as `resume`.
      if (part.name === interruptTool) continue;
      const callId = toText(providerData(part.provider, aguiWire).toolCallId) || part.callId;
      const own = encrypted.find(({ subtype, entityId }) => subtype === 'tool-call' && entityId === callId);
      const { encryptedValue } = own ?? {};
      addCall(
        {
          ...toCall(callId, part.name, part.input ? part.inputText : '{}'),
          ...(typeof encryptedValue === 'string' && { encryptedValue }),
        },
        isEnded(part.status) ? toResult(callId, part) : undefined,
      );
    } else if (part.type === 'provider' && part.name === messageMark)
      begin(toText(toObject(part.data).messageId) || id);
    else if (part.type === 'provider' && part.name === remoteCall) {
      const { toolCallId, name, input, resultId, output, resumed } = toObject(part.data);
      const callId = toText(toolCallId);
      const result: AGUIMessage | undefined =
        typeof resultId === 'string'
          ? { id: resultId, role: 'tool', toolCallId: callId, content: toContent(output) }
          : undefined;
      if (resumed !== true) addCall(toCall(callId, toText(name), toText(input)), result);
      else if (result) all.push(result);
    } else {
      const text = isMedia(part) ? mediaText(part) : partText(part);
      if (text !== '') message.content = (message.content ?? '') + text;
    }
  }
  begin('');
  return all;
}

/** Returns a result as the agent sent it: a text, or a list of parts. */
function toContent(output: Json | undefined): string | readonly AGUIPart[] {
  const parts = toList(output).filter(isPart);
  if (parts.length > 0) return parts;
  return toText(output) || (output ? JSON.stringify(output) : '');
}

function isPart(value: Json): value is AGUIPart {
  return toText(toObject(value).type) !== '';
}

function toCall(id: string, name: string, input: string): AGUIToolCall {
  return { id, type: 'function', function: { name, arguments: input } };
}

function toResult(toolCallId: string, part: ToolPart): AGUIMessage {
  const text = resultText(part);
  const media = resultMedia(part);
  return {
    id: `${toolCallId}-result`,
    role: 'tool',
    toolCallId,
    content: media.length === 0 ? text : [{ type: 'text', text }, ...media.flatMap(toPart)],
    ...(part.isError && { error: text }),
  };
}

function toPart(part: Part): readonly AGUIPart[] {
  const source = isMedia(part) && toSource(part);
  if (!isMedia(part) || !source) {
    const text = isMedia(part) ? (fileText(part) ?? mediaText(part)) : partText(part);
    return text === '' ? [] : [{ type: 'text', text }];
  }
  return [{ type: part.type === 'file' ? 'document' : part.type, source }];
}

function toSource(part: MediaPart): Extract<AGUIPart, { readonly source: object }>['source'] | undefined {
  const { mediaType, data, url } = part;
  if (fileText(part) !== undefined) return undefined;
  if (data !== undefined) return { type: 'data', value: data, mimeType: mediaType };
  return url === undefined ? undefined : { type: 'url', value: url, ...defined({ mimeType: mediaType }) };
}

/** Returns the calls of the remote agent's tools that have no result yet, by id: an interrupt may have come in between. */
export function openRemoteCalls(messages: readonly Message[]): ReadonlyMap<string, RemoteCall> {
  const open = new Map<string, RemoteCall>();
  for (const part of messages.flatMap(({ content }) => content)) {
    if (part.type !== 'provider' || part.name !== remoteCall) continue;
    const { toolCallId, name, input, resultId } = toObject(part.data);
    if (resultId === undefined)
      open.set(toText(toolCallId), { toolCallId: toText(toolCallId), name: toText(name), input: toText(input) });
    else open.delete(toText(toolCallId));
  }
  return open;
}

/** Returns the ids of the calls that have a result: of the page's tools, and of the remote agent's. */
export function endedCalls(messages: readonly Message[]): ReadonlySet<string> {
  const ended = messages
    .flatMap(({ content }) => content)
    .flatMap((part) => {
      if (part.type === 'tool')
        return isEnded(part.status) ? [toText(providerData(part.provider, aguiWire).toolCallId)] : [];
      if (part.type !== 'provider' || part.name !== remoteCall) return [];
      const { toolCallId, resultId } = toObject(part.data);
      return resultId === undefined ? [] : [toText(toolCallId)];
    });
  return new Set(ended.filter((id) => id !== ''));
}

/** Returns the ids of the remote agent's messages in the conversation. */
export function knownMessages(messages: readonly Message[]): ReadonlySet<string> {
  const marks = messages
    .flatMap(({ content }) => content)
    .flatMap((part) =>
      part.type === 'provider' && part.name === messageMark ? [toText(toObject(part.data).messageId)] : [],
    );
  return new Set(marks);
}
