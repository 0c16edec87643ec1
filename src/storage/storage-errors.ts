import { AgentError, type AgentErrorCode } from '../core/error.ts';

type Meaning = readonly [code: AgentErrorCode, message: string, retryable?: boolean];

const unstorable: Meaning = ['STORAGE_FAILED', 'What was written cannot be stored, a function for example.', false];

/** DOMException name → what it means for who wrote or read. */
const meanings: { readonly [name: string]: Meaning | undefined } = {
  QuotaExceededError: ['QUOTA_EXCEEDED', 'There is no space left for this page. Remove sessions or free disk space.'],
  ConstraintError: ['STORAGE_CONFLICT', 'Another writer has changed or removed the session. Read it again.'],
  VersionError: ['STORAGE_BLOCKED', 'What is stored belongs to a newer version of this page. Reload it.', false],
  NotReadableError: ['STORAGE_CORRUPT', 'The browser has lost part of what it stored.'],
  DataCloneError: unstorable,
  DataError: unstorable,
  RangeError: unstorable,
};

/** Makes an `AgentError` of what IndexedDB threw; `code` where its name says nothing. */
export function toStorageError(thrown: unknown, code: AgentErrorCode = 'STORAGE_FAILED'): AgentError {
  if (thrown instanceof AgentError) return thrown;
  const said = `The browser's storage failed: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
  const [meaning, message, retryable] = meanings[nameOf(thrown)] ?? [code, said];
  return new AgentError(message, { code: meaning, retryable, cause: thrown });
}

/** The stored session is not the one that a write builds on. */
export function conflict(): AgentError {
  return toStorageError(new DOMException('', 'ConstraintError'));
}

/** Whether the connection may be gone, or no good any more, although it was not closed by us: worth a new one. */
export function isConnectionLost(thrown: unknown): boolean {
  return ['InvalidStateError', 'AbortError', 'UnknownError', 'TransactionInactiveError'].includes(nameOf(thrown));
}

function nameOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.name : '';
}
