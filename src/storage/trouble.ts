import { AgentError, type AgentErrorCode } from '../core/error.ts';

/** DOMException name → what it means for who wrote or read. */
const meanings: {
  readonly [name: string]: readonly [code: AgentErrorCode, message: string, retryable?: boolean] | undefined;
} = {
  QuotaExceededError: [
    'QUOTA_EXCEEDED',
    'There is no space left for this page. Remove sessions or free disk space, then try again.',
  ],
  ConstraintError: ['STORAGE_CONFLICT', 'The session was changed or removed by another writer. Read it again.'],
  VersionError: ['STORAGE_BLOCKED', 'The stored data belong to a newer version of this page. Reload it.', false],
  SecurityError: [
    'STORAGE_UNAVAILABLE',
    'The browser does not let this page store anything (blocked site data, a sandbox).',
  ],
  NotReadableError: ['STORAGE_CORRUPT', 'The browser has lost part of what it stored.'],
  DataCloneError: ['STORAGE_FAILED', 'The write holds something that cannot be stored, such as a function.', false],
  DataError: ['STORAGE_FAILED', 'The write holds a key or number that cannot be stored.', false],
  RangeError: ['STORAGE_FAILED', 'The write is nested too deeply to be stored.', false],
};

/** Makes an `AgentError` of what IndexedDB threw; `code` where its name says nothing. */
export function toStorageError(thrown: unknown, code: AgentErrorCode = 'STORAGE_FAILED'): AgentError {
  if (thrown instanceof AgentError) return thrown;
  const name = nameOf(thrown);
  const [meaning, message, retryable] = (Object.hasOwn(meanings, name) && meanings[name]) || [code, describe(thrown)];
  return new AgentError(message, { code: meaning, retryable, cause: thrown });
}

/** Whether the connection may be gone, or no good any more, although it was not closed by us: worth a new one. */
export function isConnectionLost(thrown: unknown): boolean {
  return ['InvalidStateError', 'AbortError', 'UnknownError', 'TransactionInactiveError'].includes(nameOf(thrown));
}

/** Whether the browser failed to open its own files, which may pass (Chromium: "Internal error opening backing store"). */
export function isInternalError(thrown: unknown): boolean {
  return nameOf(thrown) === 'UnknownError';
}

function nameOf(thrown: unknown): string {
  return thrown instanceof Error || thrown instanceof DOMException ? thrown.name : '';
}

function describe(thrown: unknown): string {
  const said = thrown instanceof Error || thrown instanceof DOMException ? thrown.message : String(thrown);
  return `The browser's storage failed${said ? `: ${said}` : '.'}`;
}
