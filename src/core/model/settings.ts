import type { JsonObject } from '../json.ts';

/** The description of a tool that a model reads. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema (draft 2020-12) of the input, always of `type: 'object'`. */
  readonly inputSchema: JsonObject;
}

/** The schema of an answer. Made by `defineOutput`. */
export interface OutputSpec {
  /** Letters, digits, `_` and `-`, 64 at most. */
  readonly name: string;
  /** JSON Schema of `type: 'object'`, limited to the keywords that every provider supports. */
  readonly schema: JsonObject;
  /** Whether every property is required, as the strict modes demand. */
  readonly strict: boolean;
}

/**
 * Whether the model may call tools: as it likes (`auto`, the default), not at all (`none`), at least one (`required`), or this one. The tools
 * stay part of the request in every case.
 */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string };

/**
 * The limits of a run, and of all sessions that its calls start (`agentTool`): one account for the tree. A run beyond its budget ends with
 * `limit`; a run that resumes it may use the same amount again.
 */
export interface Budget {
  /** Tokens, input and output together. */
  readonly tokens?: number;
  /** Requests to a model. `maxSteps` is the limit of one session alone. */
  readonly steps?: number;
  /**
   * In the currency of `ContextOptions.cost`, which has to know the price of the model. Before each request the highest cost of its answer is
   * reserved: within `maxTokens`, and without `maxTokens` all that is left.
   */
  readonly money?: number;
  /** ms since the run began, or since a user last decided something in it. */
  readonly time?: number;
}

/**
 * An option of a run that cannot be stored. To resume the run in another page, pass a `scratch` again; without its own `client` the agent's
 * present client answers.
 */
export type RunNeed = 'client' | 'scratch';

/**
 * The options of one run, beyond the agent's own: plain JSON, stored in `run.started` and with a queued message, so that the same options
 * apply when the run is resumed, approved after a reload, admitted from the queue or regenerated.
 *
 * Invariant: settings contain no key, no function and no scratch text. `providerParams` are stored unchanged.
 */
export interface RunSettings {
  readonly model?: string;
  readonly temperature?: number;
  /** Maximum tokens of one answer. */
  readonly maxTokens?: number;
  readonly output?: OutputSpec;
  readonly toolChoice?: ToolChoice;
  readonly providerParams?: JsonObject;
  /** Tokens that the model accepts, request and answer together. */
  readonly contextWindow?: number;
  readonly autoCompress?: boolean;
  /** Names of the tools that the model may call. */
  readonly tools?: readonly string[];
  /** Maximum number of requests to the model. */
  readonly maxSteps?: number;
  readonly budget?: Budget;
  /** Origin of the client for which `model`, `providerParams` and `contextWindow` were given: a client of another origin gets none of them. */
  readonly origin?: string;
  /** Names of the run's options that are not stored. */
  readonly needs?: readonly RunNeed[];
}

/**
 * The inputs of one request other than its messages: stored in `reply.started`, so that the request can be rebuilt from the log. The output
 * schema is that of the run's settings; a scratch is stored as its number of tokens (`ZoneTokens.scratch`) only.
 */
export interface RequestRecord {
  /** `contentId` of the latest `instructions.changed`; missing for a request without instructions and presets. */
  readonly instructions?: string;
  /** `contentId` of the latest `tools.changed`; missing for a request without tools. */
  readonly tools?: string;
  /** Missing when the client's own model answers. */
  readonly model?: string;
  readonly temperature?: number;
  readonly maxTokens?: number;
  readonly toolChoice?: ToolChoice;
  readonly providerParams?: JsonObject;
  /** Maximum number of messages that the model saw, system messages not counted. */
  readonly maxMessages?: number;
  /** Maximum tokens of the tool outputs of one message; longer outputs were shortened. */
  readonly toolOutput?: number;
  /** Ids of the pinned messages; missing when no compaction was in effect. */
  readonly pinned?: readonly string[];
}
