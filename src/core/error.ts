import { defined } from './json.ts';

/** The area of an error. */
export type AgentErrorType = 'LLM_SERVICE' | 'TOOL' | 'SESSION' | 'STORAGE' | 'VALIDATION' | 'INTERNAL';
export const AgentErrorType: { readonly [Type in AgentErrorType]: Type } = {
  /** The model's service, or the connection to it. */
  LLM_SERVICE: 'LLM_SERVICE',
  TOOL: 'TOOL',
  SESSION: 'SESSION',
  STORAGE: 'STORAGE',
  /** An argument of the caller. */
  VALIDATION: 'VALIDATION',
  INTERNAL: 'INTERNAL',
};

/** The reason of an error. The code determines the `type` of the error. */
export type AgentErrorCode =
  | 'NETWORK_ERROR'
  | 'OFFLINE'
  | 'REQUEST_TIMEOUT'
  | 'RATE_LIMIT_EXCEEDED'
  | 'OVERLOADED'
  | 'LLM_API_ERROR'
  | 'AUTHENTICATION_FAILED'
  /** The key is in a locked vault. */
  | 'AUTHENTICATION_LOCKED'
  | 'PERMISSION_DENIED'
  | 'INSUFFICIENT_QUOTA'
  | 'INVALID_REQUEST'
  | 'MODEL_NOT_FOUND'
  /** The model has to be downloaded first, which requires the user's consent. */
  | 'MODEL_NOT_READY'
  | 'CONTEXT_OVERFLOW'
  | 'CONTENT_FILTERED'
  /** The stream closed before its end mark. */
  | 'STREAM_INTERRUPTED'
  /** The stream, or a body in the place of a stream, could not be parsed. */
  | 'STREAM_MALFORMED'
  /** The response exceeded a size limit. */
  | 'STREAM_TOO_LARGE'
  /** The caller aborted the operation. */
  | 'ABORTED'
  | 'SESSION_NOT_FOUND'
  | 'SESSION_BUSY'
  | 'SESSION_REMOVED'
  | 'SESSION_READ_ONLY'
  | 'NOTHING_TO_RESUME'
  | 'MESSAGE_NOT_FOUND'
  | 'CALL_NOT_FOUND'
  /** The call does not wait for a decision: it was decided already, or has ended. */
  | 'CALL_NOT_PENDING'
  /** The call is not the one that was shown: its fingerprint differs. */
  | 'DECISION_STALE'
  | 'TOOL_NOT_FOUND'
  | 'TOOL_FAILED'
  | 'TOOL_TIMEOUT'
  /** A call would start a session further below the root than its tool allows (`agentTool`): an agent may have called itself. */
  | 'TOO_DEEP'
  | 'INVALID_INPUT'
  /** The model's answer does not fit the output schema. */
  | 'INVALID_OUTPUT'
  | 'INVALID_CONFIG'
  /** The agent has no client: no model is chosen. */
  | 'MISSING_CLIENT'
  /** The run was started with an option that cannot be stored, and this page does not have the option. */
  | 'MISSING_OPTION'
  | 'STORAGE_FAILED'
  | 'QUOTA_EXCEEDED'
  /** Another writer was first: the stored `seq` is not the expected one. */
  | 'STORAGE_CONFLICT'
  /** The store can never store this write, because of a value in it: a repetition does not help, a write without the value does. */
  | 'STORAGE_REJECTED'
  | 'STORAGE_BLOCKED'
  | 'STORAGE_CORRUPT'
  | 'STORAGE_UNAVAILABLE'
  /** The session is encrypted, and its key is locked, or is not the key of this page. */
  | 'STORAGE_LOCKED'
  /** A part of the page's code could not be loaded: the page is older than the last deployment, or offline. A reload helps. */
  | 'MODULE_UNAVAILABLE'
  /** Older messages could not be compacted: the summary was empty or incomplete, or no shorter than the messages. */
  | 'COMPACTION_FAILED'
  | 'UNKNOWN';

/** The type of each code, and whether the same request may succeed later. */
const kinds = {
  NETWORK_ERROR: ['LLM_SERVICE', 'retryable'],
  OFFLINE: ['LLM_SERVICE', 'retryable'],
  REQUEST_TIMEOUT: ['LLM_SERVICE', 'retryable'],
  RATE_LIMIT_EXCEEDED: ['LLM_SERVICE', 'retryable'],
  OVERLOADED: ['LLM_SERVICE', 'retryable'],
  LLM_API_ERROR: ['LLM_SERVICE', 'final'],
  AUTHENTICATION_FAILED: ['LLM_SERVICE', 'final'],
  AUTHENTICATION_LOCKED: ['LLM_SERVICE', 'final'],
  PERMISSION_DENIED: ['LLM_SERVICE', 'final'],
  INSUFFICIENT_QUOTA: ['LLM_SERVICE', 'final'],
  INVALID_REQUEST: ['LLM_SERVICE', 'final'],
  MODEL_NOT_FOUND: ['LLM_SERVICE', 'final'],
  MODEL_NOT_READY: ['LLM_SERVICE', 'final'],
  CONTEXT_OVERFLOW: ['LLM_SERVICE', 'final'],
  CONTENT_FILTERED: ['LLM_SERVICE', 'final'],
  STREAM_INTERRUPTED: ['LLM_SERVICE', 'retryable'],
  STREAM_MALFORMED: ['LLM_SERVICE', 'final'],
  STREAM_TOO_LARGE: ['LLM_SERVICE', 'final'],
  ABORTED: ['SESSION', 'final'],
  SESSION_NOT_FOUND: ['SESSION', 'final'],
  SESSION_BUSY: ['SESSION', 'retryable'],
  SESSION_REMOVED: ['SESSION', 'final'],
  SESSION_READ_ONLY: ['SESSION', 'final'],
  NOTHING_TO_RESUME: ['SESSION', 'final'],
  MESSAGE_NOT_FOUND: ['SESSION', 'final'],
  CALL_NOT_FOUND: ['TOOL', 'final'],
  CALL_NOT_PENDING: ['TOOL', 'final'],
  DECISION_STALE: ['TOOL', 'final'],
  TOOL_NOT_FOUND: ['TOOL', 'final'],
  TOOL_FAILED: ['TOOL', 'final'],
  TOOL_TIMEOUT: ['TOOL', 'final'],
  TOO_DEEP: ['TOOL', 'final'],
  INVALID_INPUT: ['VALIDATION', 'final'],
  INVALID_OUTPUT: ['VALIDATION', 'retryable'],
  INVALID_CONFIG: ['VALIDATION', 'final'],
  MISSING_CLIENT: ['VALIDATION', 'final'],
  MISSING_OPTION: ['VALIDATION', 'final'],
  STORAGE_FAILED: ['STORAGE', 'retryable'],
  QUOTA_EXCEEDED: ['STORAGE', 'final'],
  STORAGE_CONFLICT: ['STORAGE', 'final'],
  STORAGE_REJECTED: ['STORAGE', 'final'],
  STORAGE_BLOCKED: ['STORAGE', 'retryable'],
  STORAGE_CORRUPT: ['STORAGE', 'final'],
  STORAGE_UNAVAILABLE: ['STORAGE', 'final'],
  STORAGE_LOCKED: ['STORAGE', 'final'],
  MODULE_UNAVAILABLE: ['INTERNAL', 'final'],
  COMPACTION_FAILED: ['SESSION', 'final'],
  UNKNOWN: ['INTERNAL', 'final'],
} as const satisfies Record<AgentErrorCode, readonly [AgentErrorType, 'retryable' | 'final']>;

/**
 * Which time limit of a client has passed: `connect` (until the response begins), `first` (until the first content), `idle` (no data within
 * the response), `stall` (data without content) or `total` (the whole response).
 */
export type TimeoutKind = 'connect' | 'first' | 'idle' | 'stall' | 'total';

/** An `AgentError` as plain JSON, for events and exports. Invariant: it contains no cause, no header and no key. */
export interface ErrorInfo {
  readonly type: AgentErrorType;
  readonly code: AgentErrorCode;
  readonly message: string;
  readonly status?: number;
  readonly retryable: boolean;
  readonly retryAfter?: number;
  readonly timeout?: TimeoutKind;
}

/** Options of `new AgentError(message, options)`. */
export interface AgentErrorOptions {
  readonly code: AgentErrorCode;
  /** HTTP status of the response; missing without a response. */
  readonly status?: number | undefined;
  /** Whether the same request may succeed later. Default: by the code. */
  readonly retryable?: boolean | undefined;
  /** ms to wait before a retry, as requested by the service. */
  readonly retryAfter?: number | undefined;
  /** Which time limit of the client has passed, for `REQUEST_TIMEOUT`. */
  readonly timeout?: TimeoutKind | undefined;
  readonly cause?: unknown;
}

/** The error class of this package. `message` states what happened, to what, and what to do next. */
export class AgentError extends Error {
  override readonly name: string = 'AgentError';
  readonly type: AgentErrorType;
  readonly code: AgentErrorCode;
  /** HTTP status of the response; missing without a response. */
  declare readonly status?: number;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** ms to wait before a retry, as requested by the service. */
  declare readonly retryAfter?: number;
  /** Which time limit of the client has passed (`REQUEST_TIMEOUT`); missing when the service itself reported a timeout. */
  declare readonly timeout?: TimeoutKind;

  constructor(message: string, options: AgentErrorOptions) {
    super(message, defined({ cause: options.cause }));
    const { code, status, retryAfter, timeout } = options;
    // A log may have a code of a newer version.
    const [type, again] = Object.hasOwn(kinds, code) ? kinds[code] : kinds.UNKNOWN;
    const { retryable = again === 'retryable' } = options;
    this.type = type;
    this.code = code;
    this.retryable = retryable;
    Object.assign(this, defined({ status, retryAfter, timeout }));
  }

  /** Where the cause and the cure of this code are explained: `brooklet/docs/errors.md#storage_failed`, a file of this package. */
  get help(): string {
    return `brooklet/docs/errors.md#${this.code.toLowerCase()}`;
  }
}

/** Throws an `AgentError`; usable as an expression: `found ?? fail('SESSION_NOT_FOUND', …)`. */
export function fail(code: AgentErrorCode, message: string, cause?: unknown): never {
  throw new AgentError(message, { code, cause });
}

/** Returns the message of any thrown value. Never throws. */
export function messageOf(thrown: unknown): string {
  try {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    if (message) return message;
  } catch {
    // A value that cannot be converted to a string has no message.
  }
  return 'Something failed without saying why.';
}

/** Converts any thrown value to an `AgentError` with `code`; returns an `AgentError` unchanged. */
export function toAgentError(thrown: unknown, code: AgentErrorCode = 'UNKNOWN'): AgentError {
  return thrown instanceof AgentError ? thrown : new AgentError(messageOf(thrown), { code, cause: thrown });
}

/** The errors of this tab by their plain JSON: an error in memory has its cause and its stack, the log has neither. */
const live = new WeakMap<ErrorInfo, AgentError>();

/** Converts an error to plain JSON, for an event, without its `cause`. */
export function toErrorInfo(error: AgentError): ErrorInfo {
  const { type, code, message, retryable, status, retryAfter, timeout } = error;
  const info = { type, code, message, retryable, ...defined({ status, retryAfter, timeout }) };
  live.set(info, error);
  return info;
}

/** Returns the error of an event: the same error, with its cause, in the tab where it happened; otherwise a new one, made from its JSON. */
export function fromErrorInfo(info: ErrorInfo): AgentError {
  return live.get(info) ?? new AgentError(info.message, info);
}
