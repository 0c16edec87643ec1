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

/** What went wrong, in one word. The family of the code (`STORAGE_…`, `SESSION_…`) determines the `type` of the error. */
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
  /** A run was started with an option that cannot be stored, and the option is not at hand. */
  | 'MISSING_OPTION'
  | 'STORAGE_FAILED'
  | 'QUOTA_EXCEEDED'
  /** Another writer was first. */
  | 'STORAGE_CONFLICT'
  | 'STORAGE_BLOCKED'
  | 'STORAGE_CORRUPT'
  | 'STORAGE_UNAVAILABLE'
  | 'UNKNOWN';

/** What failed, by the family of the code, also of one that only a newer version knows. */
const families: readonly (readonly [AgentErrorType, RegExp])[] = [
  [
    'LLM_SERVICE',
    /^(NETWORK|OFFLINE|REQUEST|RATE|OVERLOADED|LLM|AUTHENTICATION|PERMISSION|INSUFFICIENT|INVALID_REQUEST|MODEL|CONTEXT|CONTENT|STREAM)/,
  ],
  ['VALIDATION', /^(INVALID|MISSING)/],
  ['SESSION', /^(SESSION|ABORTED|NOTHING|MESSAGE)/],
  ['TOOL', /^(TOOL|CALL|DECISION)/],
  ['STORAGE', /^(STORAGE|QUOTA)/],
];

/** Whether the same request may work a little later. */
const passing =
  /^(NETWORK_ERROR|OFFLINE|REQUEST_TIMEOUT|RATE_LIMIT_EXCEEDED|OVERLOADED|STREAM_INTERRUPTED|SESSION_BUSY|INVALID_OUTPUT|STORAGE_FAILED|STORAGE_BLOCKED)$/;

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

/** Options of `new AgentError(message, options)`. */
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
    const { code, retryable = passing.test(code), status, retryAfter, timeout } = options;
    const [type = 'INTERNAL'] = families.find(([, words]) => words.test(code)) ?? [];
    this.type = type;
    this.code = code;
    this.retryable = retryable;
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

/** Converts an error to plain JSON, for an event. `cause` is left out. */
export function toErrorInfo({ type, code, message, retryable, status, retryAfter, timeout }: AgentError): ErrorInfo {
  return { type, code, message, retryable, ...defined({ status, retryAfter, timeout }) };
}

/** Converts the plain JSON of an event back to an error. */
export function fromErrorInfo(info: ErrorInfo): AgentError {
  return new AgentError(info.message, info);
}
