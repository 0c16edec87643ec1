// In the order in which to read it.
export { createAgent, type Agent, type AgentOptions } from './agent.ts';
export {
  type AgentSession,
  type ApproveOptions,
  type ChatInput,
  type AnswerOptions,
  type DecisionOptions,
  type RejectOptions,
  type RunOptions,
  type RunResult,
  type SendOptions,
  type WhenBusy,
} from './session.ts';
export { type ChatOptions, type ChatOutput } from './chat.ts';
export {
  extractTextContent,
  isToolPart,
  toolParts,
  totalInput,
  type Approval,
  type CallStatus,
  type FinishReason,
  type MediaPart,
  type Message,
  type MessageInput,
  type Part,
  type ProviderPart,
  type ReasoningPart,
  type Role,
  type SourcePart,
  type TextPart,
  type ToolDetails,
  type ToolPart,
  type Usage,
  type ZoneTokens,
} from './message.ts';
export { type Presentation, type CheckedInput, type CheckedTool, type ToolContext } from './tools/checked-tool.ts';
export { defineTool, type Tool, type ToolOptions, type ToolOutput } from './tools/tool.ts';
export { type FormatRejection, type Rejection } from './tools/rejection.ts';
export { deciderOf, type Decider } from './tools/decider.ts';
export { createInputReader } from './tools/input-reader.ts';
export { type InputOf, type InputSchema, type JsonSchema, type StandardSchema } from './tools/schema.ts';
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
} from './error.ts';
export {
  type ContextAgentOptions,
  type ContextOptions,
  type ContextRunOptions,
  type Scratch,
} from './context/options.ts';
export { type ContextReport, type LastRequest, type ZoneReport } from './context/report.ts';
export { type CompactionStrategy, type Folding } from './context/strategy.ts';
export { summarize } from './context/summarize.ts';
export { dropOldest } from './context/drop-oldest.ts';
export { keepTools } from './context/keep-tools.ts';
export { estimateText } from './context/tokens.ts';
export { anthropicImage, estimateMedia, imageSize, openAIImage, type ImageSize } from './context/media.ts';
export { createChatCompletionsClient, type ChatCompletionsOptions } from './llm/chat-completions.ts';
export { createResponsesClient, type ResponsesOptions } from './llm/responses.ts';
export {
  type BuiltInAvailability,
  type BuiltInClient,
  type BuiltInOptions,
  createBuiltInClient,
} from './llm/built-in.ts';
export { type ChatCompat } from './llm/compat.ts';
export { type HttpOptions } from './llm/http.ts';
export { type ExchangeOptions } from './llm/exchange.ts';
export { type Timeouts } from './llm/watchdog.ts';
export { type SseLimits } from './llm/sse.ts';
export { type CallLimits } from './llm/reader.ts';
export { type Retry, type RetryingClient, type RetryOptions, withRetry, withTimeout } from './llm/retry.ts';
export { type FallbackOptions, withFallback } from './llm/fallback.ts';
export { createRequestQueue, type RequestQueue, withConcurrency } from './llm/concurrency.ts';
export { withThinkTags } from './llm/think.ts';
export { isParts, resultMedia, resultText } from './llm/result.ts';
export { defineOutput, type Output, type OutputOptions } from './llm/output.ts';
export { type LLMChunk, type LLMClient, type LLMRequest, type OutputSpec, type ToolSpec } from './llm/client.ts';
export {
  eventVersion,
  type CallOutcome,
  type CompactionCause,
  type ContextEvent,
  type EventBody,
  type Pace,
  type QueueMode,
  type RunLimit,
  type RunOutcome,
  type SessionEvent,
} from './log/event.ts';
export { findCall } from './log/find-call.ts';
export { evolve } from './log/evolve.ts';
export {
  initialState,
  type QueuedMessage,
  type RunState,
  type SessionState,
  type StandingDecision,
} from './log/state.ts';
export { fingerprintOf } from './session/fingerprint.ts';
export { isEnded } from './log/call.ts';
export { coalesce } from './log/coalesce.ts';
export { recover } from './log/recover.ts';
export { openCalls, statusOf, type SessionStatus } from './log/status.ts';
export { type StorageStatus } from './log/writer.ts';
export {
  type ListOptions,
  type SessionHead,
  type SessionLock,
  type SessionLocks,
  type SearchProgress,
  type SessionPage,
  type SessionStore,
  type SessionWrite,
  type StoredSession,
  type StoreMeta,
} from './log/store.ts';
export { next, type Budget, type Policy, type Step } from './run/next.ts';
export { browserPorts, type Ports } from './ports.ts';
export { isJsonObject, type Json, type JsonObject } from './json.ts';
