import { expect, test } from 'vitest';
import { isConnectionLost, toStorageError } from '../../src/storage/storage-errors.ts';

test.each([
  ['a text', 'gone', 'STORAGE_FAILED'],
  ['a text about a full disk', 'NO_SPACE', 'QUOTA_EXCEEDED'],
  ['an error without a meaning of its own', new TypeError('gone'), 'STORAGE_FAILED'],
  ['a full disk', new DOMException('', 'QuotaExceededError'), 'QUOTA_EXCEEDED'],
])('what a browser throws becomes an AgentError: %s', (_what, thrown, code) => {
  expect(toStorageError(thrown)).toMatchObject({ code, cause: thrown });
  expect(isConnectionLost(thrown)).toBe(false);
});
