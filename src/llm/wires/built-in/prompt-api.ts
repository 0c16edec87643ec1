/**
 * The part of the browser's Prompt API (webmachinelearning.github.io/prompt-api, July 2026) that the client uses. The API is young: optional
 * members are missing in some versions, and enums may grow.
 */
export interface PromptApi {
  readonly LanguageModel: {
    availability(options?: LanguageModelOptions): Promise<string>;
    create(options?: LanguageModelOptions): Promise<LanguageModelSession>;
  };
  /** Present only where the browser supports tools. */
  readonly LanguageModelToolCall?: ToolClass;
  readonly LanguageModelToolSuccess?: ToolClass;
  readonly LanguageModelToolError?: ToolClass;
}

export type ToolClass = new (init: {
  readonly callId: string;
  readonly name: string;
  readonly arguments?: object;
  readonly result?: readonly PromptContent[];
  readonly errorMessage?: string;
}) => object;

export interface LanguageModelOptions {
  readonly expectedInputs?: readonly Expected[];
  readonly expectedOutputs?: readonly Expected[];
  readonly tools?: readonly { readonly name: string; readonly description: string; readonly inputSchema: object }[];
  readonly initialPrompts?: readonly PromptMessage[];
  readonly signal?: AbortSignal;
  readonly monitor?: (monitor: EventTarget) => void;
}

export interface Expected {
  readonly type: 'text' | 'image' | 'audio' | 'tool-call' | 'tool-response';
  readonly languages?: readonly string[];
}

export interface PromptMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: readonly PromptContent[];
}

export interface PromptContent {
  readonly type: Expected['type'];
  readonly value: string | Blob | object;
}

export interface LanguageModelSession {
  /** A stream of strings; of `{type, value}` where the model may call tools or show its reasoning. */
  promptStreaming(
    input: readonly PromptMessage[],
    options: { readonly signal: AbortSignal; readonly responseConstraint?: object },
  ): ReadableStream<unknown>;
  measureContextUsage?(input: readonly PromptMessage[], options: { readonly signal: AbortSignal }): Promise<number>;
  /** Tokens of the whole session so far. */
  readonly contextUsage?: number;
  destroy(): void;
}

/** Whether a global scope has the Prompt API. */
export function isPromptApi(scope: object): scope is PromptApi {
  return 'LanguageModel' in scope && typeof scope.LanguageModel === 'function';
}
