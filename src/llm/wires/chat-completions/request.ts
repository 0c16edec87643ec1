import type { Json, JsonObject } from '../../../core/json.ts';
import type { LLMRequest } from '../../../core/model/llm.ts';
import { toList } from '../../../core/model/read-json.ts';
import type { ToolChoice } from '../../../core/model/settings.ts';
import { toToolName } from '../../transport/wire-name.ts';
import type { ChatCompat } from './compat.ts';
import { toChatMessages } from './messages.ts';
import { toPlain } from './plain-tool-schema.ts';
import { toResponseFormat, withSchemaInWords } from './structured-output.ts';

/**
 * Maps a request to the body of `/chat/completions`. Pure, and stable to the byte: the same messages always result in the same JSON, and
 * `messages` is the last field, so that a longer conversation begins like the shorter one (prompt caches compare the beginning).
 *
 * @param model used where the request names none
 * @param host host and port of the service: opaque data and ids return to the service that sent them
 */
export function toChatBody(
  request: LLMRequest,
  model: string | undefined,
  compat: ChatCompat,
  stream = true,
  host?: string,
): JsonObject {
  const { messages, maxTokens, temperature, tools = [], output, providerParams } = request;
  const { structuredOutput: format = 'json_schema' } = compat;
  const allMessages = output && format !== 'json_schema' ? withSchemaInWords(messages, output) : messages;
  const allTools: readonly Json[] = [
    ...tools.map(({ name, description, inputSchema }) => ({
      type: 'function',
      function: { name, description, parameters: compat.plainSchemas ? toPlain(inputSchema) : inputSchema },
    })),
    // Tools that run at the provider, for example web search.
    ...toList(providerParams?.tools),
  ];
  return {
    model: request.model ?? model,
    stream,
    stream_options: compat.streamOptions === false || !stream ? undefined : { include_usage: true },
    [compat.maxTokens ?? 'max_tokens']: maxTokens,
    temperature,
    tool_choice: tools.length === 0 ? undefined : toToolChoice(request.toolChoice),
    response_format: output && toResponseFormat(output, format),
    ...providerParams,
    // Empty lists are refused.
    tools: allTools.length === 0 ? undefined : allTools,
    messages: toChatMessages(allMessages, compat, request.promptId, host),
  };
}

function toToolChoice(choice: ToolChoice | undefined): Json | undefined {
  return typeof choice === 'object' ? { type: 'function', function: { name: toToolName(choice.name) } } : choice;
}
