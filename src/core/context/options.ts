import type { LLMClient } from '../model/llm.ts';
import type { RunSettings } from '../model/settings.ts';
import type { MediaPart, MessageInput, Usage } from '../model/message.ts';
import type { CompactionStrategy, CompactionInput } from './strategy.ts';

/** Text at the end of a request that is never stored: a string, or a function that is called before each request. */
export type Scratch = string | (() => string | undefined);

/** Context options of one run, or of all runs of an agent (seed 001, `CommonOpts`). */
export interface ContextRunOptions {
  /** Tokens that the model accepts, request and answer together. Default: unknown; no request is compacted in advance. */
  readonly contextWindow?: number;
  /** Maximum tokens of the answer. */
  readonly maxTokens?: number;
  /**
   * Whether older messages are compacted before a request would be too long. `false`: the run fails with `CONTEXT_OVERFLOW` instead, and
   * the request is not sent. Default: `true` with a `contextWindow`. `true` without a `contextWindow` compacts only after the provider
   * has refused a request as too long.
   */
  readonly autoCompress?: boolean;
  /** Text at the end of each request, in no message and no log. Default: none. */
  readonly scratch?: Scratch;
}

/** Context options of a run, and what determines the client and model that answer the run. */
export interface ContextRun extends ContextRunOptions, Pick<RunSettings, 'providerParams' | 'origin' | 'needs'> {
  readonly client?: LLMClient;
  readonly model?: string;
}

/** How an agent's context is kept within the window. Every option has a usable default. */
export interface ContextOptions {
  /** Share of the usable window (0 to 1) above which older messages are compacted. Default 0.85. */
  readonly trigger?: number;
  /** Share of the usable window (0 to 1) that the next request should fill after a compaction. Default 0.6. */
  readonly target?: number;
  /** `summarize` (default), `dropOldest`, `keepTools`, or your own. A function has the name `own` in the log. */
  readonly strategy?: CompactionStrategy | ((input: CompactionInput) => string | Promise<string>);
  /** Client and model that write summaries. Default: those that answer the run; with a `client` alone, the model of that client. */
  readonly summarizer?: { readonly client?: LLMClient; readonly model?: string };
  /** ms that one summary request may take. Default 120,000. */
  readonly summaryTimeout?: number;
  /** Changes a summary before it is stored. If it throws or returns an empty text, the compaction fails and changes nothing. */
  readonly editSummary?: (summary: string) => string | Promise<string>;
  /**
   * Returns the tokens of a text: an exact tokenizer. Default: `estimateText`. The usage that the provider reports corrects both. May be
   * async: a run then waits for the counts of its next request. A run ends with `INVALID_CONFIG` where the function does not return a
   * count, but NaN, a negative number or nothing.
   */
  readonly countTokens?: (text: string) => number | Promise<number>;
  /** Returns the tokens of an image, a sound or a file. Default: `estimateMedia`. May be async as `countTokens`. */
  readonly mediaTokens?: (part: MediaPart) => number | Promise<number>;
  /**
   * Maximum tokens of the tool outputs of one message in a request; longer outputs are shortened, for the model only. Default: a quarter of
   * the usable window.
   */
  readonly toolOutput?: number;
  /**
   * Returns the cost of an answer, given the name by which the provider reported its model; `undefined` when the price is unknown. See
   * `costOf` of `brooklet/providers`.
   */
  readonly cost?: (usage: Usage, model: string | undefined) => number | undefined;
}

/** The part of `AgentOptions` that concerns the context. */
export interface ContextAgentOptions extends ContextRunOptions {
  /** Messages after the instructions in every request, for example few-shot examples. They never change and are never compacted. */
  readonly presets?: readonly MessageInput[];
  readonly context?: ContextOptions;
}
