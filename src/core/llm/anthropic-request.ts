import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { extractTextContent, type MediaPart, type Message, type Part, toolParts, type ToolPart } from '../message.ts';
import { toToolName, toWireId } from './chat-request.ts';
import type { LLMRequest } from './client.ts';
import { toObject } from './loose.ts';
import { isMedia, mediaText, resultMedia, resultText } from './result.ts';

/** The name under which this wire's opaque data stands in a part's `provider`. */
export const anthropicWire = 'anthropic';

export interface AnthropicDefaults {
  readonly model?: string | undefined;
  /** Tokens, where a request says nothing: this wire wants a limit. */
  readonly maxTokens: number;
}

/**
 * A request as `/v1/messages` wants it. Pure and stable to the byte, `messages` last. Instructions at the beginning become `system`;
 * a system message further on is said by the user, for there is no other place.
 */
export function toAnthropicBody(request: LLMRequest, { model, maxTokens }: AnthropicDefaults): JsonObject {
  const { messages, tools = [] } = request;
  const first = messages.findIndex(({ role }) => role !== 'system');
  const lead = first === -1 ? messages : messages.slice(0, first);
  const system = lead.flatMap(({ content }) => toTexts(content));
  return {
    model: request.model ?? model,
    max_tokens: request.maxTokens ?? maxTokens,
    stream: true,
    temperature: request.temperature,
    system: system.length === 0 ? undefined : system,
    tools:
      tools.length === 0
        ? undefined
        : tools.map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema })),
    ...request.providerParams,
    messages: messages.slice(lead.length).flatMap(toAnthropicMessages),
  };
}

function toAnthropicMessages(message: Message): readonly JsonObject[] {
  switch (message.role) {
    case 'system':
    case 'user': {
      const content = message.content.flatMap((part) => (isMedia(part) ? [toMediaBlock(part)] : toTexts([part])));
      // An empty turn is refused, a missing one may break the order of turns.
      return [{ role: 'user', content: content.length === 0 ? [{ type: 'text', text: '(empty)' }] : content }];
    }
    case 'assistant': {
      const content = message.content.flatMap(toReplyBlocks);
      const calls = toolParts(message);
      if (content.length === 0) return [];
      return [
        { role: 'assistant', content },
        ...(calls.length === 0 ? [] : [{ role: 'user', content: calls.map(toResultBlock) }]),
      ];
    }
  }
}

function toTexts(content: readonly Part[]): readonly JsonObject[] {
  const text = extractTextContent(content);
  // Blank text is refused.
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}

function toReplyBlocks(part: Part): readonly JsonObject[] {
  switch (part.type) {
    case 'text':
      return toTexts([part]);
    case 'reasoning': {
      const { redacted, signature } = ownOf(part.provider);
      if (redacted !== undefined) return [{ type: 'redacted_thinking', data: redacted }];
      // Thoughts are taken back signed or not at all.
      return signature === undefined ? [] : [{ type: 'thinking', thinking: part.text, signature }];
    }
    case 'tool':
      return [
        {
          ...ownOf(part.provider),
          type: 'tool_use',
          id: toWireId(part.callId),
          name: toToolName(part.name),
          input: part.input ?? {},
        },
      ];
    case 'provider':
      // What ran there comes back as it was, if it is from here.
      return isJsonObject(part.data) &&
        part.data.type === part.name &&
        /(tool_use|tool_result|^compaction)$/.test(part.name)
        ? [part.data]
        : [];
    case 'image':
    case 'audio':
    case 'file':
    case 'source':
      return [];
  }
}

function toResultBlock(part: ToolPart): JsonObject {
  const media = resultMedia(part).map(toMediaBlock);
  const text = resultText(part);
  return {
    type: 'tool_result',
    tool_use_id: toWireId(part.callId),
    content: media.length === 0 ? text : [{ type: 'text', text }, ...media],
    ...(part.status !== 'succeeded' && { is_error: true }),
  };
}

function toMediaBlock(part: MediaPart): JsonObject {
  const { type, mediaType, data, url, name } = part;
  const source: Json | undefined =
    data !== undefined
      ? { type: 'base64', media_type: mediaType, data }
      : url === undefined
        ? undefined
        : { type: 'url', url };
  if (source === undefined || type === 'audio') return { type: 'text', text: mediaText(part) };
  return type === 'image'
    ? { type: 'image', source }
    : { type: 'document', source, ...(name !== undefined && { title: name }) };
}

function ownOf(provider: Json | undefined): JsonObject {
  return isJsonObject(provider) ? toObject(provider[anthropicWire]) : {};
}
