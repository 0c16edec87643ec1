import { isJsonObject, type Json, type JsonObject } from '../../../core/json.ts';
import { extractTextContent, type MediaPart, type Message, type Part, toolParts } from '../../../core/model/message.ts';
import type { LLMRequest, OutputSpec } from '../../../core/model/llm.ts';
import { toList, toObject } from '../../../core/model/read-json.ts';
import { afterPauses } from '../../transport/paused.ts';
import { fileText, isMedia, mediaText, partText, replyMedia, resultText } from '../../../core/model/tool-result.ts';
import { toToolName, toWireId } from '../../transport/wire-name.ts';

/** The name under which this wire's opaque data stands in a part's `provider`. */
export const responsesWire = 'responses';

export interface ResponsesDefaults {
  readonly model?: string | undefined;
  /** Whether the model's thoughts come back sealed, to be sent along with the next request. Models that do not think toError it. */
  readonly sealedReasoning?: boolean | undefined;
}

/** A request as `/responses` wants it: nothing is stored there. Pure and stable to the byte, `input` last. */
export function toResponsesBody(
  request: LLMRequest,
  { model, sealedReasoning = false }: ResponsesDefaults,
): JsonObject {
  const { messages, tools = [], output, providerParams } = request;
  const allTools = [
    ...tools.map(({ name, description, inputSchema }) => ({
      type: 'function',
      name,
      description,
      parameters: inputSchema,
      strict: false,
    })),
    // What runs at the provider (web search, say).
    ...toList(providerParams?.tools),
  ];
  return {
    model: request.model ?? model,
    stream: true,
    store: false,
    include: sealedReasoning ? ['reasoning.encrypted_content'] : undefined,
    max_output_tokens: request.maxTokens,
    temperature: request.temperature,
    ...providerParams,
    tools: allTools.length === 0 ? undefined : allTools,
    // Beside what the caller says of the text, its verbosity, say.
    ...(output && { text: { ...toObject(providerParams?.text), format: toFormat(output) } }),
    input: afterPauses(messages).flatMap(toItems),
  };
}

function toFormat({ name, schema, strict }: OutputSpec): JsonObject {
  return { type: 'json_schema', name, schema, strict };
}

function toItems(message: Message): readonly JsonObject[] {
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
      return [
        ...message.content.flatMap((part) => toReplyItems(part, message.content.some(isSealed))),
        ...calls.map((part) => ({
          type: 'function_call_output',
          call_id: toWireId(part.callId),
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

function toReplyItems(part: Part, isThought: boolean): readonly JsonObject[] {
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [{ role: 'assistant', content: part.text }];
    case 'reasoning':
      // Nothing is stored there, so that a thought can only go back sealed.
      return isSealed(part) ? [ownOf(part.provider)] : [];
    case 'tool':
      return [
        {
          type: 'function_call',
          call_id: toWireId(part.callId),
          name: toToolName(part.name),
          // Input that was not JSON would be refused, on this request and on every one after it.
          arguments: part.input === undefined ? '{}' : part.inputText,
        },
      ];
    case 'image':
    case 'audio':
    case 'file':
    case 'source':
      return [];
    case 'provider':
      // A sealed thought is refused without what it led to.
      return isThought && isJsonObject(part.data) && part.data.type === part.name && ranThere.test(part.name)
        ? [part.data]
        : [];
  }
}

/** What needs nobody's answer. */
const ranThere = /^(web_search|file_search|code_interpreter|mcp)_call$|^mcp_list_tools$|^compaction$/;

function isSealed(part: Part): boolean {
  return part.type === 'reasoning' && ownOf(part.provider).encrypted_content !== undefined;
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

function ownOf(provider: Json | undefined): JsonObject {
  return isJsonObject(provider) ? toObject(provider[responsesWire]) : {};
}
