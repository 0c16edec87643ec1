// In the order in which to read it.
export { createAgent, type Agent, type AgentOptions } from './core/agent.ts';
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
} from './core/session/session.ts';
export { type ChatOptions, type ChatOutput } from './core/session/chat.ts';
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
} from './core/model/message.ts';
export { type Presentation, type CheckedInput, type CheckedTool, type ToolContext } from './core/tools/checked-tool.ts';
export { defineTool, type Tool, type ToolOptions, type ToolOutput } from './core/tools/tool.ts';
export { type FormatRejection, type Rejection } from './core/tools/rejection.ts';
export { deciderOf, type Decider } from './core/model/decider.ts';
export { createInputReader } from './core/tools/partial-input.ts';
export { type InputOf, type InputSchema, type JsonSchema, type StandardSchema } from './core/tools/schema.ts';
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
} from './core/error.ts';
export {
  type ContextAgentOptions,
  type ContextOptions,
  type ContextRunOptions,
  type Scratch,
} from './core/context/options.ts';
export { type ContextReport, type LastRequest, type ZoneReport } from './core/context/report.ts';
export { type CompactionStrategy, type Folding } from './core/context/strategy.ts';
export { summarize } from './core/context/summarize.ts';
export { dropOldest } from './core/context/drop-oldest.ts';
export { keepTools } from './core/context/keep-tools.ts';
export { estimateText } from './core/context/tokens.ts';
export { anthropicImage, estimateMedia, imageSize, openAIImage, type ImageSize } from './core/context/media.ts';
export { createChatCompletionsClient, type ChatCompletionsOptions } from './llm/wires/chat-completions/client.ts';
export { createResponsesClient, type ResponsesOptions } from './llm/wires/responses/client.ts';
export {
  type BuiltInAvailability,
  type BuiltInClient,
  type BuiltInOptions,
  createBuiltInClient,
} from './llm/wires/built-in/client.ts';
export { type ChatCompat } from './llm/wires/chat-completions/compat.ts';
export { type HttpOptions } from './llm/transport/http.ts';
export { type ExchangeOptions } from './llm/transport/exchange.ts';
export { type Timeouts } from './llm/transport/watchdog.ts';
export { type SseLimits } from './llm/transport/sse.ts';
export { type CallLimits } from './llm/transport/reader.ts';
export { type Retry, type RetryingClient, type RetryOptions, withRetry, withTimeout } from './llm/middleware/retry.ts';
export { type FallbackOptions, withFallback } from './llm/middleware/fallback.ts';
export { createRequestQueue, type RequestQueue, withConcurrency } from './llm/middleware/concurrency.ts';
export { withThinkTags } from './llm/middleware/think-tags.ts';
export { isParts, resultMedia, resultText } from './core/model/tool-result.ts';
export { defineOutput, type Output, type OutputOptions } from './llm/output/output.ts';
export { type LLMChunk, type LLMClient, type LLMRequest, type OutputSpec, type ToolSpec } from './core/model/llm.ts';
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
} from './core/model/event.ts';
export { findCall } from './core/model/find-call.ts';
export { evolve } from './core/model/evolve.ts';
export {
  initialState,
  type QueuedMessage,
  type RunState,
  type SessionState,
  type StandingDecision,
} from './core/model/state.ts';
export { fingerprintOf } from './core/model/fingerprint.ts';
export { isEnded } from './core/model/call-status.ts';
export { coalesce } from './core/model/coalesce.ts';
export { recover } from './core/model/recover.ts';
export { openCalls, statusOf, type SessionStatus } from './core/model/status.ts';
export { type StorageStatus } from './core/log/writer.ts';
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
} from './core/model/store.ts';
export { next, type Budget, type Policy, type Step } from './core/model/next.ts';
export { browserPorts, type Ports } from './core/ports.ts';
export { isJsonObject, type Json, type JsonObject } from './core/json.ts';
