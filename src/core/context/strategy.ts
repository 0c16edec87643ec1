import type { FinishReason, Message } from '../model/message.ts';

/** What is to be made shorter, and what may be used for it. */
export interface CompactionInput {
  /** What leaves the live part of the conversation, oldest first, as the model saw it. At least one. */
  readonly messages: readonly Message[];
  /** Index of the first of them in the session: its reference is `m` and this plus one. */
  readonly start: number;
  /** The summary that stood until now: what still matters of it belongs into the new one. */
  readonly earlier?: string;
  /** Tokens that the result should have at most. */
  readonly maxTokens: number;
  /** Tokens that a question to the model may have. */
  readonly askTokens: number;
  /** Aborts when the run is cancelled. */
  readonly signal: AbortSignal;
  count(text: string): number;
  /** Asks the model. What it costs is counted to the session. Rejects with AgentError. */
  ask(instructions: string, input: string): Promise<{ readonly text: string; readonly finish: FinishReason }>;
}

/** Makes the text that stands for older messages. What it throws, and a text that is empty or no shorter, changes nothing. */
export interface CompactionStrategy {
  /** Told with the compaction. */
  readonly name: string;
  compress(folding: CompactionInput): string | Promise<string>;
}
