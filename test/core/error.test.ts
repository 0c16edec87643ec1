import { AgentError, type AgentErrorCode, AgentErrorType, toAgentError } from 'brooklet';
import { type ErrorInfo, fromErrorInfo, toErrorInfo } from 'brooklet/core';
import { describe, expect, test } from 'vitest';

/** One for each code: tsc reports a missing code. */
const codes: Record<AgentErrorCode, readonly [AgentErrorType, retryable: boolean]> = {
  NETWORK_ERROR: ['LLM_SERVICE', true],
  OFFLINE: ['LLM_SERVICE', true],
  REQUEST_TIMEOUT: ['LLM_SERVICE', true],
  RATE_LIMIT_EXCEEDED: ['LLM_SERVICE', true],
  OVERLOADED: ['LLM_SERVICE', true],
  LLM_API_ERROR: ['LLM_SERVICE', false],
  AUTHENTICATION_FAILED: ['LLM_SERVICE', false],
  AUTHENTICATION_LOCKED: ['LLM_SERVICE', false],
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
  TOO_DEEP: ['TOOL', false],
  INVALID_INPUT: ['VALIDATION', false],
  INVALID_OUTPUT: ['VALIDATION', true],
  INVALID_CONFIG: ['VALIDATION', false],
  MISSING_CLIENT: ['VALIDATION', false],
  MISSING_OPTION: ['VALIDATION', false],
  STORAGE_FAILED: ['STORAGE', true],
  QUOTA_EXCEEDED: ['STORAGE', false],
  STORAGE_CONFLICT: ['STORAGE', false],
  STORAGE_BLOCKED: ['STORAGE', true],
  STORAGE_CORRUPT: ['STORAGE', false],
  STORAGE_REJECTED: ['STORAGE', false],
  STORAGE_LOCKED: ['STORAGE', false],
  STORAGE_UNAVAILABLE: ['STORAGE', false],
  MODULE_UNAVAILABLE: ['INTERNAL', false],
  COMPACTION_FAILED: ['SESSION', false],
  UNKNOWN: ['INTERNAL', false],
};

describe('an AgentError', () => {
  test.each(Object.entries(codes))(
    'with code %s has its type, and states whether a retry makes sense',
    (name, [type, retryable]) => {
      const code = name as AgentErrorCode;
      expect(new AgentError('x', { code })).toMatchObject({ name: 'AgentError', message: 'x', code, type, retryable });
    },
  );

  test('is an Error with its cause', () => {
    const cause = new TypeError('why');
    const error = new AgentError('what', { code: 'UNKNOWN', cause });
    expect(error).toBeInstanceOf(Error);
    expect(error.cause).toBe(cause);
    expect(String(error)).toBe('AgentError: what');
    expect(error.stack).toContain('error.test');
  });

  test('has no fields that it was not given', () => {
    const error = new AgentError('x', {
      code: 'LLM_API_ERROR',
      status: undefined,
      retryAfter: undefined,
      retryable: undefined,
      cause: undefined,
    });
    for (const key of ['status', 'retryAfter', 'cause']) expect(error).not.toHaveProperty(key);
    expect(error.retryable).toBe(false);
  });

  test('may override whether a retry makes sense', () => {
    expect(new AgentError('x', { code: 'LLM_API_ERROR', retryable: true, status: 503, retryAfter: 0 })).toMatchObject({
      retryable: true,
      status: 503,
      retryAfter: 0,
    });
  });

  test('has a name for each type', () => {
    for (const [name, type] of Object.entries(AgentErrorType)) expect(type).toBe(name);
  });
});

describe('toAgentError', () => {
  test('returns an AgentError unchanged', () => {
    const error = new AgentError('x', { code: 'OFFLINE' });
    expect(toAgentError(error, 'LLM_API_ERROR')).toBe(error);
  });

  test.each<[unknown, string]>([
    [new TypeError('bad'), 'bad'],
    ['bad', 'bad'],
    [new DOMException('gone', 'AbortError'), 'gone'],
    [404, '404'],
    [null, 'null'],
    [undefined, 'undefined'],
    [new Error(''), 'Something failed without saying why.'],
    ['', 'Something failed without saying why.'],
  ])('converts %o', (thrown, message) => {
    expect(toAgentError(thrown)).toMatchObject({ code: 'UNKNOWN', type: 'INTERNAL', message });
    expect(toAgentError(thrown).cause).toBe(thrown);
    expect(toAgentError(thrown, 'STORAGE_FAILED').code).toBe('STORAGE_FAILED');
  });
});

describe('an error in a log', () => {
  const error = new AgentError('Busy.', {
    code: 'OVERLOADED',
    status: 529,
    retryAfter: 1_000,
    cause: { headers: { authorization: 'Bearer sk-secret' } },
  });

  test('is JSON, without its cause and its stack', () => {
    expect(toErrorInfo(error)).toEqual({
      type: 'LLM_SERVICE',
      code: 'OVERLOADED',
      message: 'Busy.',
      retryable: true,
      status: 529,
      retryAfter: 1_000,
    });
    expect(JSON.stringify(toErrorInfo(error))).not.toContain('secret');
    expect(toErrorInfo(new AgentError('x', { code: 'UNKNOWN' }))).toStrictEqual({
      type: 'INTERNAL',
      code: 'UNKNOWN',
      message: 'x',
      retryable: false,
    });
  });

  test('is restored unchanged', () => {
    const info = toErrorInfo(error);
    const again: ErrorInfo = JSON.parse(JSON.stringify(info));
    expect(toErrorInfo(fromErrorInfo(again))).toEqual(info);
    expect(fromErrorInfo(again)).toBeInstanceOf(AgentError);
  });

  test.each(['TEAPOT', 'toString', '__proto__'])('may have a code of a newer version: %s', (code) => {
    const info = { ...toErrorInfo(error), code } as unknown as ErrorInfo;
    expect(fromErrorInfo(info)).toMatchObject({ code, type: 'INTERNAL', message: 'Busy.', retryable: true });
  });
});
