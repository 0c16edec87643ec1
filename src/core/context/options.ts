import type { LLMClient } from '../model/llm.ts';
import type { MediaPart, MessageInput, Usage } from '../model/message.ts';
import type { CompactionStrategy, CompactionInput } from './strategy.ts';

/** Said last in a request and stored nowhere: a text, or a function that is asked before each request. */
export type Scratch = string | (() => string | undefined);

/** What of the context may be said for one run, and for all runs of an agent (seed 001, `CommonOpts`). */
export interface ContextRunOptions {
  /** Tokens that the model takes, question and answer together. Unknown: nothing is counted on, and nothing compacted. */
  readonly contextWindow?: number;
  /** Tokens the answer may have at most. */
  readonly maxTokens?: number;
  /**
   * Whether older messages are folded into a summary before a request would be too long. `false`: the run fails with
   * `CONTEXT_OVERFLOW` instead, and nothing is sent. Default: yes, where `contextWindow` is known; `true` without it folds only when
   * the provider says that a request was too long.
   */
  readonly autoCompress?: boolean;
  readonly scratch?: Scratch;
}

/** What a run says of the context, and of who answers. */
export interface ContextRun extends ContextRunOptions {
  readonly client?: LLMClient;
  readonly model?: string;
}

/** How an agent's context is kept within its window. Each has a default that will do. */
export interface ContextOptions {
  /** Share of the usable window from which on it is folded. Default 0.85. */
  readonly trigger?: number;
  /** Share of the usable window that is in use after that. Default 0.6. */
  readonly target?: number;
  /** `summarize` (default), `dropOldest`, `keepTools`, or your own. */
  readonly strategy?: CompactionStrategy | ((folding: CompactionInput) => string | Promise<string>);
  /** Who writes summaries. Default: who answers. */
  readonly summarizer?: { readonly client?: LLMClient; readonly model?: string };
  /** ms a question for a summary may take. Default 120,000. */
  readonly summaryTimeout?: number;
  /** Changes a summary before it counts. One that throws, or leaves nothing, and the conversation stays as it was. */
  readonly editSummary?: (summary: string) => string | Promise<string>;
  /** An exact tokenizer. Default: an estimate, corrected by what the provider reports. */
  readonly countTokens?: (text: string) => number;
  /** Tokens of an image, a sound or a file. Default: `estimateMedia`. */
  readonly mediaTokens?: (part: MediaPart) => number;
  /** Tokens that the tool outputs of one message may have in a request; longer ones are cut for the model. Default: a quarter of the usable window. */
  readonly toolOutput?: number;
  /** What an answer cost, by the name that the provider gives its model; `undefined` where nobody knows. See `costOf` of `brooklet/providers`. */
  readonly cost?: (usage: Usage, model: string | undefined) => number | undefined;
}

/** What of `AgentOptions` is about the context. */
export interface ContextAgentOptions extends ContextRunOptions {
  /** Said after the instructions in every request: examples, say. They never change and are never folded. */
  readonly presets?: readonly MessageInput[];
  readonly context?: ContextOptions;
}
