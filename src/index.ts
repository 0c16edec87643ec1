// The exports that a page needs, in reading order. The kernel is `brooklet/core`; clients and middleware are `brooklet/llm`.
export { createAgent } from './core/agent/create-agent.ts';
export type {
  Agent,
  AgentEvent,
  OpenPendingCall,
  PendingCall,
  StoredPendingCall,
  ToolsOf,
  UnknownPendingCall,
} from './core/agent/agent.ts';
export type { ScheduledPrompt, ScheduleOptions } from './core/agent/scheduled-prompt.ts';
export type {
  AgentOptions,
  AutoResumeOptions,
  OpenOptions,
  SessionOptions,
  SessionSetup,
  SetClientOptions,
} from './core/agent/agent-options.ts';
export type {
  AgentSession,
  AnswerOptions,
  ApproveOptions,
  ChatInput,
  DecisionOptions,
  RejectOptions,
  RunOptions,
  RunResult,
  SendOptions,
  WhenBusy,
} from './core/session/session.ts';
export { isCut, type PendingResume } from './core/model/auto-resume.ts';
export { toMediaPart } from './core/session/to-media-part.ts';
export type { ChatOptions, ChatOutput } from './core/session/chat.ts';
export {
  extractTextContent,
  isToolPart,
  toolParts,
  type CallStatus,
  type MediaPart,
  type Message,
  type MessageInput,
  type Part,
  type OtherToolPart,
  type ToolPart,
  type ToolTypes,
  type Usage,
} from './core/model/message.ts';
export { askPerson, type Question } from './core/tools/ask-person.ts';
export { defineTool } from './core/tools/define-tool.ts';
export type { ToolOptions } from './core/tools/tool-options.ts';
export type { Tool } from './core/tools/tool.ts';
export type { AnsweredContext, ToolContext } from './core/tools/tool-types.ts';
export { defineOutput } from './llm/output/output.ts';
export { createChatCompletionsClient } from './llm/wires/chat-completions/client.ts';
export { createResponsesClient } from './llm/wires/responses/client.ts';
export type { LLMChunk, LLMClient, LLMRequest } from './core/model/llm.ts';
export { fingerprintOf } from './core/model/fingerprint.ts';
export { AgentError, AgentErrorType, toAgentError, type AgentErrorCode } from './core/error.ts';
export type { SessionEvent } from './core/model/event.ts';
export type { SessionStatus } from './core/model/status.ts';
export type { SessionStore, SessionSummary } from './core/model/store.ts';
export type { WaitingCall } from './core/model/waiting.ts';
export type { StorageStatus } from './core/model/sync-state.ts';
export type { ContextReport } from './core/context/report.ts';
export type { Json, JsonObject } from './core/json.ts';
export type { ErrorListener, ErrorSource } from './core/caught-error.ts';
