import type { AgentOptions } from '../../core/agent/agent-options.ts';
import type { LLMClient, LLMRequest } from '../../core/model/llm.ts';
import type { SessionState } from '../../core/model/state.ts';

/** The options of the agent that a log contains, or that follow from it. */
type AgentOption =
  | 'instructions'
  | 'presets'
  | 'tools'
  | 'model'
  | 'temperature'
  | 'maxTokens'
  | 'providerParams'
  | 'maxMessages'
  | 'maxSteps'
  | 'budget'
  | 'stopWhen'
  | 'contextWindow'
  | 'autoCompress'
  | 'context'
  | 'needsApproval'
  | 'present'
  | 'formatRejection';

/**
 * Options of `replay`, all optional: those of the agent under test, as passed to `createAgent`. What is missing is taken from the log, so that
 * only what is passed is tested.
 */
export interface ReplayOptions extends Pick<AgentOptions, AgentOption> {
  /** Answers the requests in the place of the recorded answers: `createRecordedClient(fixture)`, or a client of a provider. */
  readonly client?: LLMClient;
  /** Whether `tools` run (`real`), or only their descriptions, checks and approvals are used (`recorded`). Default `real`. */
  readonly toolResults?: 'real' | 'recorded';
}

/** What a replay has repeated. */
export interface Replayed {
  /** The state at the end. */
  readonly state: SessionState;
  /** Every request, the oldest first. */
  readonly requests: readonly LLMRequest[];
}
