import type { FinishReason, Message } from '../model/message.ts';

/** Input of a compaction strategy: the messages to compact, the limits, and access to the model. */
export interface CompactionInput {
  /** Messages that leave the live range, oldest first, as the model saw them. At least one. */
  readonly messages: readonly Message[];
  /** Index of the first of these messages in the session. The reference of a message is `m` and its index plus one. */
  readonly start: number;
  /** Summary of the previous compaction. The new text replaces it: integrate the parts that still matter. */
  readonly earlier?: string;
  /** Maximum tokens of the result. */
  readonly maxTokens: number;
  /** Maximum tokens of one request to the model. */
  readonly askTokens: number;
  /** Aborts when the run is cancelled. */
  readonly signal: AbortSignal;
  /** Returns the tokens of a text. */
  count(text: string): number;
  /** Sends one request, whose tokens count toward the session. Resolves with the whole answer, or rejects with `AgentError`. */
  ask(instructions: string, input: string): Promise<{ readonly text: string; readonly finish: FinishReason }>;
}

/**
 * Makes the text that replaces older messages in a request. If `compress` throws, or returns a text that is empty or no shorter, the
 * compaction fails and changes nothing.
 */
export interface CompactionStrategy {
  /** Stored with the compaction, as `strategy` of `context.compacted`. */
  readonly name: string;
  compress(input: CompactionInput): string | Promise<string>;
}
