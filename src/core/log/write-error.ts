import { AgentError, toAgentError } from '../error.ts';

/** The names of the errors of a value that no try can store. */
const unstorable = /^(DataCloneError|DataError|RangeError)$/;

/**
 * Returns what a store has thrown as an AgentError. A value that no try can store (one that cannot be cloned, or that a server refuses as
 * too large, 413) is `STORAGE_REJECTED`, whatever the store calls it.
 */
export function toWriteError(thrown: unknown): AgentError {
  const error = toAgentError(thrown, 'STORAGE_FAILED');
  if (error.code !== 'STORAGE_FAILED') return error;
  const isForGood = isUnstorable(thrown) || isUnstorable(error.cause);
  return isForGood
    ? new AgentError(error.message, { code: 'STORAGE_REJECTED', retryable: false, cause: thrown })
    : error;
}

function isUnstorable(thrown: unknown): boolean {
  const name: unknown = thrown instanceof Error ? thrown.name : undefined;
  return Reflect.get(Object(thrown), 'status') === 413 || (typeof name === 'string' && unstorable.test(name));
}
