import { isJsonObject, type Json, type JsonObject } from '../../../core/json.ts';
import {
  extractTextContent,
  type MediaPart,
  type Message,
  type Part,
  toolParts,
  type ToolPart,
} from '../../../core/model/message.ts';
import type { LLMRequest } from '../../../core/model/llm.ts';
import type { OutputSpec, ToolChoice } from '../../../core/model/settings.ts';
import { toList, toObject } from '../../../core/model/read-json.ts';
import { afterPauses } from '../../transport/paused.ts';
import { fileText, isMedia, mediaText, partText, replyMedia, resultText } from '../../../core/model/tool-result.ts';
import { providerData } from '../../transport/provider-data.ts';
import { createWireIds, toToolName } from '../../transport/wire-name.ts';

/** The key of this wire's opaque data in a part's `provider`. */
export const responsesWire = 'responses';

export interface ResponsesDefaults {
  /** Host and port of the service: opaque data and ids return to the service that sent them. */
  readonly host?: string | undefined;
  readonly model?: string | undefined;
  readonly stream?: boolean | undefined;
  /** Whether the model's reasoning comes back encrypted, to be sent with the next request. Models without reasoning refuse the option. */
  readonly sealedReasoning?: boolean | undefined;
}

/** Maps a request to the body of `/responses`, which stores nothing. Pure and stable to the byte, `input` last. */
export function toResponsesBody(
  request: LLMRequest,
  { model, stream = true, sealedReasoning = false, host }: ResponsesDefaults,
): JsonObject {
  const target = { host, idOf: createWireIds(request.messages, host) };
  const { messages, tools = [], output, providerParams } = request;
  const allTools = [
    ...tools.map(({ name, description, inputSchema }) => ({
      type: 'function',
      name,
      description,
      parameters: inputSchema,
      strict: false,
    })),
    // Tools that run at the provider, for example web search.
    ...toList(providerParams?.tools),
  ];
  return {
    model: request.model ?? model,
    stream,
    store: false,
    include: sealedReasoning ? ['reasoning.encrypted_content'] : undefined,
    max_output_tokens: request.maxTokens,
    temperature: request.temperature,
    tool_choice: tools.length === 0 ? undefined : toToolChoice(request.toolChoice),
    ...providerParams,
    tools: allTools.length === 0 ? undefined : allTools,
    // Merged with the caller's own text parameters, for example the verbosity.
    ...(output && { text: { ...toObject(providerParams?.text), format: toFormat(output) } }),
    input: afterPauses(messages).flatMap((message) => toItems(message, target)),
  };
}

function toToolChoice(choice: ToolChoice | undefined): Json | undefined {
  return typeof choice === 'object' ? { type: 'function', name: toToolName(choice.name) } : choice;
}

function toFormat({ name, schema, strict }: OutputSpec): JsonObject {
  return { type: 'json_schema', name, schema, strict };
}

interface Target {
  readonly host: string | undefined;
  readonly idOf: (call: ToolPart) => string;
}

function toItems(message: Message, target: Target): readonly JsonObject[] {
  switch (message.role) {
    case 'system':
      return [
        message.content.some(isMedia)
          ? { role: 'user', content: message.content.flatMap(toInput) }
          : { role: 'system', content: extractTextContent(message) },
      ];
    case 'user':
      return [{ role: 'user', content: message.content.flatMap(toInput) }];
    case 'assistant': {
      const calls = toolParts(message);
      const media = replyMedia(message);
      const hasReasoning = message.content.some((part) => isEncrypted(part, target.host));
      return [
        ...message.content.flatMap((part) => toReplyItems(part, hasReasoning, target)),
        ...calls.map((part) => ({
          type: 'function_call_output',
          call_id: target.idOf(part),
          output: resultText(part),
        })),
        ...(media.length === 0
          ? []
          : [
              {
                role: 'user',
                content: [{ type: 'input_text', text: 'Attached to the above:' }, ...media.map(toMediaInput)],
              },
            ]),
      ];
    }
  }
}

function toReplyItems(part: Part, hasReasoning: boolean, target: Target): readonly JsonObject[] {
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [{ role: 'assistant', content: part.text }];
    case 'reasoning':
      // The service stores nothing, so only encrypted reasoning can be sent back.
      return isEncrypted(part, target.host) ? [providerData(part.provider, responsesWire, target.host)] : [];
    case 'tool':
      return [
        {
          type: 'function_call',
          call_id: target.idOf(part),
          name: toToolName(part.name),
          // Input that is not JSON would be refused, in this request and in every later one.
          arguments: part.input === undefined ? '{}' : part.inputText,
        },
      ];
    case 'image':
    case 'audio':
    case 'file':
    case 'source':
      return [];
    case 'provider':
      // Encrypted reasoning is refused without the items that followed it.
      return hasReasoning && isJsonObject(part.data) && part.data.type === part.name && ranAtProvider.test(part.name)
        ? [part.data]
        : [];
  }
}

/** Types of items that need no result from the page. */
const ranAtProvider = /^(web_search|file_search|code_interpreter|mcp)_call$|^mcp_list_tools$|^compaction$/;

function isEncrypted(part: Part, host: string | undefined): boolean {
  return part.type === 'reasoning' && providerData(part.provider, responsesWire, host).encrypted_content !== undefined;
}

function toInput(part: Part): readonly JsonObject[] {
  if (isMedia(part)) return [toMediaInput(part)];
  const text = partText(part);
  return text === '' ? [] : [{ type: 'input_text', text }];
}

function toMediaInput(part: MediaPart): JsonObject {
  const { type, mediaType, data, url, name } = part;
  const inline = data === undefined ? undefined : `data:${mediaType};base64,${data}`;
  if (type === 'image' && (inline ?? url) !== undefined) return { type: 'input_image', image_url: inline ?? url };
  const text = fileText(part);
  if (type === 'file' && inline !== undefined && text === undefined)
    return { type: 'input_file', filename: name ?? 'file', file_data: inline };
  if (type === 'file' && url !== undefined) return { type: 'input_file', file_url: url };
  return { type: 'input_text', text: text ?? mediaText(part) };
}
