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
import { withValidNames } from './property-names.ts';
import type { LLMRequest } from '../../../core/model/llm.ts';
import { toList, toObject } from '../../../core/model/read-json.ts';
import type { ToolChoice } from '../../../core/model/settings.ts';
import { fileText, isMedia, mediaText, partText, resultMedia, resultText } from '../../../core/model/tool-result.ts';
import { isClosed } from '../../output/plain-schema.ts';
import { withSchemaInWords } from '../chat-completions/structured-output.ts';
import { inlineMedia } from '../../transport/inline-media.ts';
import { providerData } from '../../transport/provider-data.ts';
import { createWireIds, toToolName } from '../../transport/wire-name.ts';

/** The key of this wire's opaque data in a part's `provider`. */
export const anthropicWire = 'anthropic';

/** Name of the part with the id of the container in which the tools of a reply ran: the rest of the reply must run in the same one. */
export const containerPart = 'anthropic.container';

export interface AnthropicDefaults {
  /** Host and port of the service: signatures and ids return to the service that sent them. */
  readonly host?: string | undefined;
  readonly model?: string | undefined;
  readonly stream?: boolean | undefined;
  /** Token limit where the request has none: this wire requires a limit. */
  readonly maxTokens: number;
  /** Whether the service caches the beginning of a conversation for the next request. */
  readonly cache: boolean;
}

/**
 * Maps a request to the body of `/v1/messages`. Pure and stable to the byte, `messages` last. Instructions at the beginning become
 * `system`; a later system message becomes a user message, since this wire has no other place for it.
 */
export function toAnthropicBody(
  request: LLMRequest,
  { model, stream = true, maxTokens, cache, host }: AnthropicDefaults,
): JsonObject {
  const target = { host, idOf: createWireIds(request.messages, host) };
  const { tools = [], output, providerParams = {} } = request;
  const format = output && isClosed(output.schema) ? output : undefined;
  // A schema that the service refuses is stated in words for the model.
  const messages = output && !format ? withSchemaInWords(request.messages, output) : request.messages;
  const first = messages.findIndex(({ role, content }) => role !== 'system' || content.some(isMedia));
  const lead = first === -1 ? messages : messages.slice(0, first);
  const system = lead.flatMap(({ content }) => toTexts(extractTextContent(content)));
  const allTools = [
    ...tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      input_schema: withValidNames(inputSchema),
    })),
    // Tools that run at the provider, for example web search.
    ...toList(providerParams.tools),
  ];
  const body: JsonObject = {
    model: request.model ?? model,
    max_tokens: request.maxTokens ?? maxTokens,
    stream,
    temperature: request.temperature,
    tool_choice: tools.length === 0 ? undefined : toToolChoice(request.toolChoice),
    system: system.length === 0 ? undefined : system,
    ...providerParams,
    container: toContainer(messages.at(-1), providerParams.container),
    tools: allTools.length === 0 ? undefined : allTools,
    // Merged with the caller's own output parameters, for example the effort.
    ...(format && {
      output_config: {
        ...toObject(providerParams.output_config),
        format: { type: 'json_schema', schema: format.schema },
      },
    }),
    messages: withPairs(messages.slice(lead.length)).flatMap((message) => toAnthropicMessages(message, target)),
  };
  return cache ? withCacheMarks(body, providerParams) : body;
}

/** A request with thinking is refused where it forces a call. */
function toToolChoice(choice: ToolChoice | undefined): JsonObject | undefined {
  if (typeof choice === 'object') return { type: 'tool', name: toToolName(choice.name) };
  return choice && { type: choice === 'required' ? 'any' : choice };
}

/** Returns the container of the reply that this request continues, merged with the caller's own container parameter. */
function toContainer(last: Message | undefined, own: Json | undefined): Json | undefined {
  const part = last?.content.findLast((part) => part.type === 'provider' && part.name === containerPart);
  const { id } = toObject(part?.type === 'provider' ? part.data : undefined);
  if (id === undefined || typeof own === 'string') return own;
  return isJsonObject(own) ? { ...own, id } : id;
}

/**
 * Removes unpaired uses and results of tools that ran at the provider: the service accepts each use only with its result. A use without a
 * result is valid in the last message (a pause), or in a reply that has calls of its own; elsewhere a person ended the pause with another
 * message.
 */
function withPairs(messages: readonly Message[]): readonly Message[] {
  // `undefined` stands for parts that are neither a use nor a result: these are kept.
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

/** Returns the id of the use or of the result that a part is, for tools that ran at the provider. */
function pairOf(part: Part): { readonly use?: Json | undefined; readonly result?: Json | undefined } {
  if (part.type !== 'provider') return {};
  const { id, tool_use_id: of } = toObject(part.data);
  if (part.name.endsWith('tool_use')) return { use: id };
  return part.name.endsWith('tool_result') ? { result: of } : {};
}

interface Target {
  readonly host: string | undefined;
  readonly idOf: (call: ToolPart) => string;
}

function toAnthropicMessages(message: Message, target: Target): readonly JsonObject[] {
  switch (message.role) {
    case 'system':
    case 'user': {
      const content = message.content.flatMap(toUserBlocks);
      // An empty turn is refused; a missing one may violate the order of turns.
      return [{ role: 'user', content: content.length === 0 ? [{ type: 'text', text: '(empty)' }] : content }];
    }
    case 'assistant': {
      const content = message.content.flatMap((part) => toReplyBlocks(part, target));
      const results = toolParts(message).map((part) => toResultBlock(part, target));
      // A reply may contain no media on this wire: media of the model is sent as the user's.
      const media = message.content.filter(isMedia).map(toMediaBlock);
      const attached = media.length === 0 ? [] : [{ type: 'text', text: 'Attached to the above:' }, ...media];
      return [
        ...(content.length === 0 ? [] : [{ role: 'assistant', content }]),
        ...(results.length + attached.length === 0 ? [] : [{ role: 'user', content: [...results, ...attached] }]),
      ];
    }
  }
}

function toUserBlocks(part: Part): readonly JsonObject[] {
  return isMedia(part) ? [toMediaBlock(part)] : toTexts(partText(part));
}

function toTexts(text: string): readonly JsonObject[] {
  // Blank text is refused.
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}

function toReplyBlocks(part: Part, { host, idOf }: Target): readonly JsonObject[] {
  switch (part.type) {
    case 'text':
      return toTexts(part.text);
    case 'reasoning': {
      const { redacted, signature } = providerData(part.provider, anthropicWire, host);
      if (redacted !== undefined) return [{ type: 'redacted_thinking', data: redacted }];
      // Thinking is accepted only with its signature.
      return signature === undefined ? [] : [{ type: 'thinking', thinking: part.text, signature }];
    }
    case 'tool':
      return [
        {
          ...providerData(part.provider, anthropicWire, host),
          type: 'tool_use',
          id: idOf(part),
          name: toToolName(part.name),
          input: part.input ?? {},
        },
      ];
    case 'provider':
      // A block of a tool that ran at the provider is sent back unchanged, if the block is from this wire.
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

function toResultBlock(part: ToolPart, { idOf }: Target): JsonObject {
  const media = resultMedia(part).map(toMediaBlock);
  const text = resultText(part);
  return {
    type: 'tool_result',
    tool_use_id: idOf(part),
    content: media.length === 0 ? text : [{ type: 'text', text }, ...media],
    ...(part.status !== 'succeeded' && { is_error: true }),
  };
}

/** Images and PDFs become blocks, text files text; other media is described in words. */
function toMediaBlock(part: MediaPart): JsonObject {
  const { type, name, url } = part;
  const { mediaType, data } = inlineMedia(part);
  const text = fileText({ ...part, mediaType, ...defined({ data }) });
  const isAccepted =
    type === 'image' ? /^image\/(jpe?g|png|gif|webp)$/.test(mediaType) : type === 'file' && /\bpdf$/.test(mediaType);
  if (text !== undefined || !isAccepted || (data ?? url) === undefined)
    return { type: 'text', text: text ?? mediaText(part) };
  const source =
    data === undefined ? { type: 'url', url } : { type: 'base64', media_type: mediaType.replace('jpg', 'jpeg'), data };
  return type === 'image' ? { type: 'image', source } : { type: 'document', source, ...defined({ title: name }) };
}
