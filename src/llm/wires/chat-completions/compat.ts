/** Where services that speak `/chat/completions` differ in what they take. */
export interface ChatCompat {
  /** What the limit of the answer is called. Default `max_tokens`. */
  readonly maxTokens?: 'max_tokens' | 'max_completion_tokens';
  /** Default `system`. */
  readonly systemRole?: 'system' | 'developer';
  /** Whether `stream_options` is known; without it some send no usage. Default yes. */
  readonly streamOptions?: boolean;
  /** Whether call ids must be nine letters and digits. Default: up to 40, with `_` and `-`. */
  readonly shortCallIds?: boolean;
  /** Whether a tool's result has to repeat the tool's name. Default no. */
  readonly resultName?: boolean;
  /** `content` of an assistant message that only calls tools. Default null. */
  readonly noContent?: null | '';
  /** Whether earlier reasoning goes back: never (default), always, or with messages that call tools, as long as their run goes on. */
  readonly reasoning?: 'strip' | 'keep' | 'tool-turns';
  /** The field it goes back in. Default `reasoning_content`. */
  readonly reasoningField?: 'reasoning_content' | 'reasoning';
  /** Whether the user may only speak after the assistant: turns of the user in a row become one, and after a tool's result the assistant says a word first. Default no. */
  readonly alternate?: boolean;
  /**
   * How an answer is held to a schema: by the schema itself (default), as some JSON object, or not at all. What the service does not
   * take is told to the model in words.
   */
  readonly structuredOutput?: 'json_schema' | 'json_object' | 'none';
}

/** End of the host → what is different there. */
const byHost: readonly (readonly [RegExp, ChatCompat])[] = [
  [/(api\.openai\.com|\.azure\.com|api\.cerebras\.ai)$/, { maxTokens: 'max_completion_tokens' }],
  [/api\.groq\.com$/, { maxTokens: 'max_completion_tokens', reasoningField: 'reasoning' }],
  [/api\.mistral\.ai$/, { shortCallIds: true, streamOptions: false, resultName: true, alternate: true }],
  [/api\.(deepseek\.com|moonshot\.(ai|cn))$/, { reasoning: 'tool-turns', structuredOutput: 'json_object' }],
  [/openrouter\.ai$/, { reasoning: 'tool-turns', reasoningField: 'reasoning' }],
];

/** The habits of the service at a host, with the caller's word on top. */
export function toCompat(host: string, own?: ChatCompat): ChatCompat {
  return { ...byHost.find(([end]) => end.test(host))?.[1], ...own };
}
