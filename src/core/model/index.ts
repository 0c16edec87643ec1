// The kernel: pure functions over events and state, and the types that stores, clients and bindings implement.
export {
  eventVersion,
  type CallEndReason,
  type CallOutcome,
  type CallPlace,
  type Cadence,
  type EventBody,
  type QueueMode,
  type RunLimit,
  type RunOutcome,
  type SessionEvent,
} from './event.ts';
export { type CompactionCause, type ContextEvent } from './context-event.ts';
export {
  initialState,
  type Alternative,
  type ApprovalRule,
  type Instructions,
  type QueuedMessage,
  type RunState,
  type SessionState,
  type ToolList,
} from './state.ts';
export { alternativesOf, type Alternatives } from './alternatives.ts';
export { evolve } from './evolve.ts';
export { latestMessages } from './latest-messages.ts';
export { nextDeadline, type Overdue, type Situation, type StepBetweenRuns } from './between-runs.ts';
export { next, type Policy, type Refusal, type RunStep, type Step, type Stop, type ToolTraits } from './next.ts';
export { openCalls, statusOf, type SessionStatus } from './status.ts';
export { coalesce } from './coalesce.ts';
export { recover } from './recover.ts';
export { isEnded } from './call-status.ts';
export { childrenOf, parentOf } from './children.ts';
export { toSummary } from './summary.ts';
export { findCall } from './find-call.ts';
export { fingerprintOf } from './fingerprint.ts';
export { createPartialJsonReader } from './partial-json.ts';
export { isParts, resultMedia, resultText } from './tool-result.ts';
export { messageText } from './message-text.ts';
export {
  extractTextContent,
  isToolPart,
  toolParts,
  totalInput,
  type Approval,
  type CallStatus,
  type DecidedBy,
  type FinishReason,
  type MediaPart,
  type Message,
  type MessageInput,
  type Part,
  type Proof,
  type Proposal,
  type ProviderPart,
  type ReasoningPart,
  type Role,
  type SourcePart,
  type Spending,
  type TextPart,
  type ToolDetails,
  type OtherToolPart,
  type ToolPart,
  type ToolTypes,
  type Usage,
  type ZoneTokens,
} from './message.ts';
export type { Budget, OutputSpec, RequestRecord, RunNeed, RunSettings, ToolChoice, ToolSpec } from './settings.ts';
export type { LLMChunk, LLMClient, LLMRequest } from './llm.ts';
export type {
  LeaseRequest,
  ListOptions,
  MetadataFilter,
  RowOrigin,
  SearchProgress,
  SessionLock,
  SessionLocks,
  SessionPage,
  SessionStore,
  SessionSummary,
  SessionWrite,
  StoredSession,
  StoreMeta,
} from './store.ts';
export type { WaitingCall } from './waiting.ts';
export {
  AgentError,
  AgentErrorType,
  fromErrorInfo,
  toAgentError,
  toErrorInfo,
  type AgentErrorCode,
  type AgentErrorOptions,
  type ErrorInfo,
  type TimeoutKind,
} from '../error.ts';
export { isJsonObject, type Json, type JsonObject } from '../json.ts';
