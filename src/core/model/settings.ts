import type { JsonObject } from '../json.ts';

/** What a model is told about a tool. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema (draft 2020-12) of the input, always of `type: 'object'`. */
  readonly inputSchema: JsonObject;
}

/** The schema that an answer has to fit. Made by `defineOutput`. */
export interface OutputSpec {
  /** Letters, digits, `_` and `-`, 64 at most. */
  readonly name: string;
  /** JSON Schema of `type: 'object'`, limited to the keywords that every provider supports. */
  readonly schema: JsonObject;
  /** Whether every property is required, as the strict modes demand. */
  readonly strict: boolean;
}

/** What a run may use. A run beyond its budget ends with `limit`; resuming it allows the same amount again. */
export interface Budget {
  /** Tokens, input and output together. */
  readonly tokens?: number;
  /** ms since the run began, or since a user last decided something in it. */
  readonly time?: number;
}

/** An option of a run that cannot be stored: resuming the run in another page needs it again. */
export type RunNeed = 'client' | 'scratch';

/**
 * What a run was asked to do beside the agent's own options: plain JSON, stored in `run.started` and with a queued message, so that
 * the same options count when the run is resumed, approved after a reload, admitted from the queue or regenerated.
 *
 * Invariant: settings hold no key, no function and no scratch text. `providerParams` are stored as they are.
 */
export interface RunSettings {
  readonly model?: string;
  readonly temperature?: number;
  /** Tokens of one answer. */
  readonly maxTokens?: number;
  readonly output?: OutputSpec;
  readonly providerParams?: JsonObject;
  /** Tokens. */
  readonly contextWindow?: number;
  readonly autoCompress?: boolean;
  /** Requests to the model. */
  readonly maxSteps?: number;
  readonly budget?: Budget;
  /** Options of the run that are not stored. */
  readonly needs?: readonly RunNeed[];
}

/**
 * What one request was made of, beside the messages: stored in `reply.started`, so that the request can be rebuilt from the log. The
 * output schema is that of the run's settings; a scratch is stored as its number of tokens (`ZoneTokens.scratch`) only.
 */
export interface RequestRecord {
  /** `contentId` of the latest `instructions.changed`; missing for a request without instructions and presets. */
  readonly instructions?: string;
  /** `contentId` of the latest `tools.changed`; missing for a request without tools. */
  readonly tools?: string;
  /** Missing where the client's own model answers. */
  readonly model?: string;
  readonly temperature?: number;
  readonly maxTokens?: number;
  readonly providerParams?: JsonObject;
  /** Messages that the model saw at most. */
  readonly maxMessages?: number;
  /** Tokens that the tool outputs of one message could have; longer ones were shortened. */
  readonly toolOutput?: number;
  /** Ids of the pinned messages, where a compaction was in effect. */
  readonly pinned?: readonly string[];
}
