import { defined } from './json.ts';

/** What kind of thing failed. */
export type AgentErrorType = 'LLM_SERVICE' | 'TOOL' | 'SESSION' | 'STORAGE' | 'VALIDATION' | 'INTERNAL';
export const AgentErrorType: { readonly [Type in AgentErrorType]: Type } = {
  /** The model's service, or the way to it. */
  LLM_SERVICE: 'LLM_SERVICE',
  TOOL: 'TOOL',
  SESSION: 'SESSION',
  STORAGE: 'STORAGE',
  /** What the caller handed in. */
  VALIDATION: 'VALIDATION',
  INTERNAL: 'INTERNAL',
};

export type AgentErrorCode =
  | 'NETWORK_ERROR'
  | 'OFFLINE'
  | 'REQUEST_TIMEOUT'
  | 'RATE_LIMIT_EXCEEDED'
  | 'OVERLOADED'
  | 'LLM_API_ERROR'
  | 'AUTHENTICATION_FAILED'
  | 'PERMISSION_DENIED'
  | 'INSUFFICIENT_QUOTA'
  | 'INVALID_REQUEST'
  | 'MODEL_NOT_FOUND'
  /** It has to be downloaded first, which a person has to agree to. */
  | 'MODEL_NOT_READY'
  | 'CONTEXT_OVERFLOW'
  | 'CONTENT_FILTERED'
  /** The stream closed without its end mark. */
  | 'STREAM_INTERRUPTED'
  /** The stream, or a body that should have been one, could not be understood. */
  | 'STREAM_MALFORMED'
  /** A size limit was passed. */
  | 'STREAM_TOO_LARGE'
  /** The caller stopped it. */
  | 'ABORTED'
  | 'SESSION_NOT_FOUND'
  | 'SESSION_BUSY'
  | 'SESSION_REMOVED'
  | 'SESSION_READ_ONLY'
  | 'NOTHING_TO_RESUME'
  | 'MESSAGE_NOT_FOUND'
  | 'CALL_NOT_FOUND'
  /** The call has been decided, or has ended. */
  | 'CALL_NOT_PENDING'
  /** What was decided on is not what stands there now. */
  | 'DECISION_STALE'
  | 'TOOL_NOT_FOUND'
  | 'TOOL_FAILED'
  | 'TOOL_TIMEOUT'
  | 'INVALID_INPUT'
  /** An answer is not what was asked for. */
  | 'INVALID_OUTPUT'
  | 'INVALID_CONFIG'
  | 'STORAGE_FAILED'
  | 'QUOTA_EXCEEDED'
  /** Another writer was first. */
  | 'STORAGE_CONFLICT'
  | 'STORAGE_BLOCKED'
  | 'STORAGE_CORRUPT'
  | 'STORAGE_UNAVAILABLE'
  | 'UNKNOWN';

/** code → what failed, and whether the same request may work a little later */
const codes: Readonly<Record<AgentErrorCode, readonly [AgentErrorType, retryable: boolean]>> = {
  NETWORK_ERROR: ['LLM_SERVICE', true],
  OFFLINE: ['LLM_SERVICE', true],
  REQUEST_TIMEOUT: ['LLM_SERVICE', true],
  RATE_LIMIT_EXCEEDED: ['LLM_SERVICE', true],
  OVERLOADED: ['LLM_SERVICE', true],
  LLM_API_ERROR: ['LLM_SERVICE', false],
  AUTHENTICATION_FAILED: ['LLM_SERVICE', false],
  PERMISSION_DENIED: ['LLM_SERVICE', false],
  INSUFFICIENT_QUOTA: ['LLM_SERVICE', false],
  INVALID_REQUEST: ['LLM_SERVICE', false],
  MODEL_NOT_FOUND: ['LLM_SERVICE', false],
  MODEL_NOT_READY: ['LLM_SERVICE', false],
  CONTEXT_OVERFLOW: ['LLM_SERVICE', false],
  CONTENT_FILTERED: ['LLM_SERVICE', false],
  STREAM_INTERRUPTED: ['LLM_SERVICE', true],
  STREAM_MALFORMED: ['LLM_SERVICE', false],
  STREAM_TOO_LARGE: ['LLM_SERVICE', false],
  ABORTED: ['SESSION', false],
  SESSION_NOT_FOUND: ['SESSION', false],
  SESSION_BUSY: ['SESSION', true],
  SESSION_REMOVED: ['SESSION', false],
  SESSION_READ_ONLY: ['SESSION', false],
  NOTHING_TO_RESUME: ['SESSION', false],
  MESSAGE_NOT_FOUND: ['SESSION', false],
  CALL_NOT_FOUND: ['TOOL', false],
  CALL_NOT_PENDING: ['TOOL', false],
  DECISION_STALE: ['TOOL', false],
  TOOL_NOT_FOUND: ['TOOL', false],
  TOOL_FAILED: ['TOOL', false],
  TOOL_TIMEOUT: ['TOOL', false],
  INVALID_INPUT: ['VALIDATION', false],
  INVALID_OUTPUT: ['VALIDATION', true],
  INVALID_CONFIG: ['VALIDATION', false],
  STORAGE_FAILED: ['STORAGE', true],
  QUOTA_EXCEEDED: ['STORAGE', false],
  STORAGE_CONFLICT: ['STORAGE', false],
  STORAGE_BLOCKED: ['STORAGE', true],
  STORAGE_CORRUPT: ['STORAGE', false],
  STORAGE_UNAVAILABLE: ['STORAGE', false],
  UNKNOWN: ['INTERNAL', false],
};

/**
 * Which of a client's times was up: to `connect` (until the service begins its answer), `first` (until its first content), `idle`
 * (silence in the middle), `stall` (signs of life without content), or the one for the whole answer, `total`.
 */
export type TimeoutKind = 'connect' | 'first' | 'idle' | 'stall' | 'total';

/** An `AgentError` as plain JSON, as it stands in events and exports. It holds no cause, no header and no key. */
export interface ErrorInfo {
  readonly type: AgentErrorType;
  readonly code: AgentErrorCode;
  readonly message: string;
  readonly status?: number;
  readonly retryable: boolean;
  readonly retryAfter?: number;
  readonly timeout?: TimeoutKind;
}

export interface AgentErrorOptions {
  readonly code: AgentErrorCode;
  /** HTTP status, where there was a response. */
  readonly status?: number | undefined;
  /** Default: as is usual for the code. */
  readonly retryable?: boolean | undefined;
  /** ms to wait before trying again, where the service said so. */
  readonly retryAfter?: number | undefined;
  readonly timeout?: TimeoutKind | undefined;
  readonly cause?: unknown;
}

/** The one error of this package. `message` says what happened, to what, and what to do next. */
export class AgentError extends Error {
  override readonly name: string = 'AgentError';
  readonly type: AgentErrorType;
  readonly code: AgentErrorCode;
  declare readonly status?: number;
  readonly retryable: boolean;
  /** ms */
  declare readonly retryAfter?: number;
  /** Where a client has waited for too long (`REQUEST_TIMEOUT`). A service that gave up itself says none. */
  declare readonly timeout?: TimeoutKind;

  constructor(message: string, options: AgentErrorOptions) {
    super(message, defined({ cause: options.cause }));
    // A log may come from a newer version, with codes of its own.
    const [type, retryable] = Object.hasOwn(codes, options.code) ? codes[options.code] : codes.UNKNOWN;
    this.type = type;
    this.code = options.code;
    this.retryable = options.retryable ?? retryable;
    const { status, retryAfter, timeout } = options;
    Object.assign(this, defined({ status, retryAfter, timeout }));
  }
}

/** Throws, also where an expression is due: `found ?? fail('SESSION_NOT_FOUND', …)`. */
export function fail(code: AgentErrorCode, message: string, cause?: unknown): never {
  throw new AgentError(message, { code, cause });
}

/** In words, whatever was thrown. */
export function messageOf(thrown: unknown): string {
  try {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    if (message) return message;
  } catch {
    // What cannot be put in words says nothing.
  }
  return 'Something failed without saying why.';
}

/** Makes an `AgentError` of whatever was thrown; an `AgentError` stays itself. */
export function toAgentError(thrown: unknown, code: AgentErrorCode = 'UNKNOWN'): AgentError {
  return thrown instanceof AgentError ? thrown : new AgentError(messageOf(thrown), { code, cause: thrown });
}

export function toErrorInfo({ type, code, message, retryable, status, retryAfter, timeout }: AgentError): ErrorInfo {
  return { type, code, message, retryable, ...defined({ status, retryAfter, timeout }) };
}

export function fromErrorInfo(info: ErrorInfo): AgentError {
  return new AgentError(info.message, info);
}
