import type { JsonObject } from '../../../core/json.ts';

/** Where services that are compatible with `/chat/completions` differ in what they accept. */
export interface ChatCompat {
  /** The field of the answer's token limit. Default `max_tokens`. */
  readonly maxTokens?: 'max_tokens' | 'max_completion_tokens';
  /** The role of instructions. Default `system`. */
  readonly systemRole?: 'system' | 'developer';
  /** Whether the service accepts `stream_options`; without the field some services send no usage. Default yes. */
  readonly streamOptions?: boolean;
  /** Whether call ids must be nine letters and digits. Default: up to 40 characters, also `_` and `-`. */
  readonly shortCallIds?: boolean;
  /** Whether a tool's result must repeat the tool's name. Default no. */
  readonly resultName?: boolean;
  /** `content` of an assistant message that only calls tools. Default null. */
  readonly noContent?: null | '';
  /**
   * Whether earlier reasoning is sent back: never (default), always, or, in all later requests, with the replies of a turn from its first call on.
   * `required`: as `tool-turns`, and a reply that calls tools without any reasoning (another model's, for example) is sent with a placeholder,
   * since the service refuses it otherwise (DeepSeek V4, Kimi K2.5 and later).
   */
  readonly reasoning?: 'strip' | 'keep' | 'tool-turns' | 'required';
  /** The field for the reasoning that is sent back. Default `reasoning_content`. */
  readonly reasoningField?: 'reasoning_content' | 'reasoning';
  /**
   * Fields of the first call of a reply that another service sent, within the run that is under way. For Gemini, which refuses a call
   * without a signature there. Default none.
   */
  readonly foreignCall?: JsonObject;
  /**
   * Whether the service states why an answer ended. Default yes: an answer without a reason has the finish `unknown`, and its calls await
   * approval. `false`: the mark `[DONE]` alone completes an answer.
   */
  readonly finishReason?: boolean;
  /** Whether a user message may follow only an assistant message: neighbouring user messages are merged, and a short assistant message is added after a tool's result. Default no. */
  readonly alternate?: boolean;
  /**
   * How the service enforces a schema: the schema itself (default), any JSON object, or nothing. A schema that the service does not accept
   * becomes part of the instructions.
   */
  readonly structuredOutput?: 'json_schema' | 'json_object' | 'none';
  /**
   * Whether the service accepts only plain input schemas of tools: with a type at each place, and without `pattern`. Types are added, and
   * patterns become a part of the descriptions; calls are checked against the schemas as they were. For Moonshot, and for servers on
   * llama.cpp, which make a grammar of a schema. Default no.
   */
  readonly plainSchemas?: boolean;
}

/** Google's documented value for calls without a signature: https://ai.google.dev/gemini-api/docs/thought-signatures, "FAQs". */
const unsigned: JsonObject = {
  extra_content: { google: { thought_signature: 'skip_thought_signature_validator' } },
};

/** Known differences by the end of the host. */
const byHost: readonly (readonly [RegExp, ChatCompat])[] = [
  [/(api\.openai\.com|\.azure\.com|api\.cerebras\.ai)$/, { maxTokens: 'max_completion_tokens' }],
  [/api\.groq\.com$/, { maxTokens: 'max_completion_tokens', reasoningField: 'reasoning' }],
  [/api\.mistral\.ai$/, { shortCallIds: true, streamOptions: false, resultName: true, alternate: true }],
  [/api\.deepseek\.com$/, { reasoning: 'required', structuredOutput: 'json_object' }],
  [/api\.moonshot\.(ai|cn)$/, { reasoning: 'required', structuredOutput: 'json_object', plainSchemas: true }],
  [/generativelanguage\.googleapis\.com$/, { resultName: true, foreignCall: unsigned }],
  [/openrouter\.ai$/, { reasoning: 'tool-turns', reasoningField: 'reasoning' }],
];

/** Returns the known differences of the service at a host, overridden by the caller's own. */
export function toCompat(host: string, own?: ChatCompat): ChatCompat {
  return { ...byHost.find(([end]) => end.test(host))?.[1], ...own };
}
