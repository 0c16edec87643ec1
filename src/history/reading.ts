import type { JsonObject } from '../core/json.ts';
import type { Role } from '../core/model/message.ts';
import type { ClaudeCodeState } from './claude-code-state.ts';
import type { Tally } from './tally.ts';
import type { Draft, Transcript } from './transcript.ts';

/** A list of items while it is read. */
export interface Reading {
  readonly transcript: Transcript;
  readonly tally: Tally;
  readonly claudeCode: ClaudeCodeState;
  /** Whether events of Codex are the conversation: the file has no items. */
  readonly takesEvents: boolean;
  /** The model that answers from here on, where the program states it apart from the messages. */
  model?: string | undefined;
  /** The item before was a piece of a message of this role. */
  streaming?: Role | undefined;
  /** This item is a piece of a message of this role. */
  streamed?: Role | undefined;
}

/** Adds one item. Returns whether it is a message, a call or a result. */
export type AddItem = (item: JsonObject, reading: Reading) => boolean;

/** What is known of a message beside its content. */
export interface Into {
  readonly id?: string;
  /** The message that continues; a new one without it. */
  readonly into?: Draft | undefined;
}

/** Adds one message of Chat Completions, Anthropic or Google. */
export type AddMessage = (message: JsonObject, reading: Reading, options?: Into) => boolean;
