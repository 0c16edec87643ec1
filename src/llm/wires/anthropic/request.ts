import { defined, isJsonObject, type Json, type JsonObject } from '../../../core/json.ts';
import {
  extractTextContent,
  type MediaPart,
  type Message,
  type Part,
  toolParts,
  type ToolPart,
} from '../../../core/model/message.ts';
import { withCacheMarks } from './cache.ts';
import type { LLMRequest } from '../../../core/model/llm.ts';
import { toList, toObject } from '../../../core/model/read-json.ts';
import { fileText, isMedia, mediaText, partText, resultMedia, resultText } from '../../../core/model/tool-result.ts';
import { toToolName, toWireId } from '../../transport/wire-name.ts';

/** The name under which this wire's opaque data stands in a part's `provider`. */
export const anthropicWire = 'anthropic';

/** Name of the part that says in which container the tools of a reply ran: its sequel has to run there too. */
export const containerPart = 'anthropic.container';

export interface AnthropicDefaults {
  readonly model?: string | undefined;
  /** Tokens, where a request says nothing: this wire wants a limit. */
  readonly maxTokens: number;
  /** Whether the service may keep the beginning of a conversation for the next request. */
  readonly cache: boolean;
}

/**
 * A request as `/v1/messages` wants it. Pure and stable to the byte, `messages` last. Instructions at the beginning become `system`;
 * a system message further on is said by the user, for there is no other place.
 */
export function toAnthropicBody(request: LLMRequest, { model, maxTokens, cache }: AnthropicDefaults): JsonObject {
  const { messages, tools = [], output, providerParams = {} } = request;
  const first = messages.findIndex(({ role, content }) => role !== 'system' || content.some(isMedia));
  const lead = first === -1 ? messages : messages.slice(0, first);
  const system = lead.flatMap(({ content }) => toTexts(extractTextContent(content)));
  const allTools = [
    ...tools.map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema })),
    // What runs at the provider (web search, say).
    ...toList(providerParams.tools),
  ];
  const body: JsonObject = {
    model: request.model ?? model,
    max_tokens: request.maxTokens ?? maxTokens,
    stream: true,
    temperature: request.temperature,
    system: system.length === 0 ? undefined : system,
    ...providerParams,
    container: toContainer(messages.at(-1), providerParams.container),
    tools: allTools.length === 0 ? undefined : allTools,
    // Beside what the caller says of the output, its effort, say.
    ...(output && {
      output_config: {
        ...toObject(providerParams.output_config),
        format: { type: 'json_schema', schema: output.schema },
      },
    }),
    messages: withPairs(messages.slice(lead.length)).flatMap(toAnthropicMessages),
  };
  return cache ? withCacheMarks(body, providerParams) : body;
}

/** Where the reply that this request goes on with ran its tools, beside what the caller says of the container. */
function toContainer(last: Message | undefined, own: Json | undefined): Json | undefined {
  const part = last?.content.findLast((part) => part.type === 'provider' && part.name === containerPart);
  const { id } = toObject(part?.type === 'provider' ? part.data : undefined);
  if (id === undefined || typeof own === 'string') return own;
  return isJsonObject(own) ? { ...own, id } : id;
}

/**
 * What ran at the provider is taken back only as a whole, each use with its result. A use whose result is still to come stands at the
 * end (a pause), or in a reply that has calls of its own; elsewhere the pause was broken off, by a person who said something else.
 */
function withPairs(messages: readonly Message[]): readonly Message[] {
  // What is neither passes.
  const uses = new Set<Json | undefined>([undefined]);
  const results = new Set<Json | undefined>([undefined]);
  for (const part of messages.flatMap(({ content }) => content)) {
    const { use, result } = pairOf(part);
    uses.add(use);
    results.add(result);
  }
  return messages.map((message, index) => {
    const isOpen = index === messages.length - 1 || toolParts(message).length > 0;
    const content = message.content.filter((part) => {
      const { use, result } = pairOf(part);
      return uses.has(result) && (isOpen || results.has(use));
    });
    return content.length === message.content.length ? message : { ...message, content };
  });
}

/** The id under which a part is a use of a tool that ran at the provider, or the result of one. */
function pairOf(part: Part): { readonly use?: Json | undefined; readonly result?: Json | undefined } {
  if (part.type !== 'provider') return {};
  const { id, tool_use_id: of } = toObject(part.data);
  if (part.name.endsWith('tool_use')) return { use: id };
  return part.name.endsWith('tool_result') ? { result: of } : {};
}

function toAnthropicMessages(message: Message): readonly JsonObject[] {
  switch (message.role) {
    case 'system':
    case 'user': {
      const content = message.content.flatMap(toSaidBlocks);
      // An empty turn is refused, a missing one may break the order of turns.
      return [{ role: 'user', content: content.length === 0 ? [{ type: 'text', text: '(empty)' }] : content }];
    }
    case 'assistant': {
      const content = message.content.flatMap(toReplyBlocks);
      const results = toolParts(message).map(toResultBlock);
      // What the model showed, only a person can show to it: no reply may hold it.
      const shown = message.content.filter(isMedia).map(toMediaBlock);
      const attached = shown.length === 0 ? [] : [{ type: 'text', text: 'Attached to the above:' }, ...shown];
      return [
        ...(content.length === 0 ? [] : [{ role: 'assistant', content }]),
        ...(results.length + attached.length === 0 ? [] : [{ role: 'user', content: [...results, ...attached] }]),
      ];
    }
  }
}

function toSaidBlocks(part: Part): readonly JsonObject[] {
  return isMedia(part) ? [toMediaBlock(part)] : toTexts(partText(part));
}

function toTexts(text: string): readonly JsonObject[] {
  // Blank text is refused.
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}

function toReplyBlocks(part: Part): readonly JsonObject[] {
  switch (part.type) {
    case 'text':
      return toTexts(part.text);
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

/** Images and PDFs; text files as text. */
function toMediaBlock(part: MediaPart): JsonObject {
  const { type, name, url } = part;
  const [, mediaType = part.mediaType, data = part.data] = /^data:([^;,]+);base64,(.*)$/s.exec(url ?? '') ?? [];
  const text = fileText({ ...part, mediaType, ...defined({ data }) });
  const isTaken =
    type === 'image' ? /^image\/(jpe?g|png|gif|webp)$/.test(mediaType) : type === 'file' && /\bpdf$/.test(mediaType);
  if (text !== undefined || !isTaken || (data ?? url) === undefined)
    return { type: 'text', text: text ?? mediaText(part) };
  const source =
    data === undefined ? { type: 'url', url } : { type: 'base64', media_type: mediaType.replace('jpg', 'jpeg'), data };
  return type === 'image' ? { type: 'image', source } : { type: 'document', source, ...defined({ title: name }) };
}

function ownOf(provider: Json | undefined): JsonObject {
  return isJsonObject(provider) ? toObject(provider[anthropicWire]) : {};
}
