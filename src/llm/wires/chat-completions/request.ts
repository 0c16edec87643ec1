import type { Json, JsonObject } from '../../../core/json.ts';
import type { Message } from '../../../core/model/message.ts';
import { loadChatSeldom } from './lazy.ts';
import type { LLMRequest } from '../../../core/model/llm.ts';
import type { ChatCompat } from './compat.ts';
import { toList } from '../../../core/model/read-json.ts';
import { toResponseFormat, withSchemaInWords } from './structured-output.ts';

/**
 * A request as `/chat/completions` wants it. What only some requests have (calls, media, thoughts that go back) is understood by a part
 * that is loaded when a request first has it, or tools that may bring it. Rejects with AgentError `NETWORK_ERROR` where that cannot be had.
 */
export async function createChatBody(
  request: LLMRequest,
  model: string | undefined,
  compat: ChatCompat,
): Promise<JsonObject> {
  if (!isPlain(request.messages, compat)) {
    const { toChatMessages } = await loadChatSeldom();
    return toChatBody(request, model, compat, toChatMessages);
  }
  // The answer may call them: by then it is here.
  if (request.tools?.length) loadChatSeldom().catch(() => {});
  return toChatBody(request, model, compat);
}

/**
 * The same without waiting. Pure, and stable to the byte: the same messages always give the same JSON, and `messages` stands last, so
 * that a longer conversation begins like the shorter one.
 *
 * @param toMessages `toChatMessages` for messages that hold more than text
 */
export function toChatBody(
  request: LLMRequest,
  model: string | undefined,
  compat: ChatCompat,
  toMessages: (
    messages: readonly Message[],
    compat: ChatCompat,
    question?: string,
  ) => readonly JsonObject[] = toPlainMessages,
): JsonObject {
  const { messages, maxTokens, temperature, tools = [], output, providerParams } = request;
  const { structuredOutput: format = 'json_schema' } = compat;
  const said = output && format !== 'json_schema' ? withSchemaInWords(messages, output) : messages;
  const allTools: readonly Json[] = [
    ...tools.map(({ name, description, inputSchema }) => ({
      type: 'function',
      function: { name, description, parameters: inputSchema },
    })),
    // What runs at the provider (web search, say).
    ...toList(providerParams?.tools),
  ];
  return {
    model: request.model ?? model,
    stream: true,
    stream_options: compat.streamOptions === false ? undefined : { include_usage: true },
    [compat.maxTokens ?? 'max_tokens']: maxTokens,
    temperature,
    response_format: output && toResponseFormat(output, format),
    ...providerParams,
    // Empty lists are refused.
    tools: allTools.length === 0 ? undefined : allTools,
    messages: toMessages(said, compat, request.promptId),
  };
}

/** Whether `toPlainMessages` says all that a service is to know of these messages. */
function isPlain(messages: readonly Message[], { alternate, reasoning }: ChatCompat): boolean {
  return (
    !alternate &&
    reasoning !== 'keep' &&
    messages.every(
      ({ role, content, finish }) =>
        finish !== 'pause' &&
        content.every(
          ({ type }) => type === 'text' || (role === 'assistant' && /^(reasoning|source|provider)$/.test(type)),
        ),
    )
  );
}

/** What was said. Of thoughts and sources nothing goes back. */
function toPlainMessages(messages: readonly Message[], { systemRole = 'system' }: ChatCompat): readonly JsonObject[] {
  return messages.flatMap(({ role, content }) => {
    const text = content
      .flatMap((part) => (part.type === 'text' && part.text) || [])
      .join(role === 'assistant' ? '' : '\n');
    // An empty reply is refused almost everywhere.
    if (role === 'assistant' && text === '') return [];
    return [{ role: role === 'system' ? systemRole : role, content: text }];
  });
}
