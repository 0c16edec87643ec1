import { AgentError, type AgentErrorCode, messageOf } from '../core/error.ts';

type Meaning = readonly [code: AgentErrorCode, message: string, retryable?: boolean];

const unstorable: Meaning = [
  'STORAGE_REJECTED',
  'The write contains a value that is not JSON, for example a function.',
  false,
];

const full: Meaning = ['QUOTA_EXCEEDED', 'There is no space left. Remove sessions or free disk space.'];

/** After a deployment was rolled back, a reload brings the older version again. */
const newer =
  'A newer version of this page has stored the data. Reload the page; if that does not help, wait until the newer version is back.';

/** By the name of the DOMException. */
const meanings: { readonly [name: string]: Meaning | undefined } = {
  QuotaExceededError: full,
  ConstraintError: ['STORAGE_CONFLICT', 'Another writer has changed the session. Read it again.'],
  VersionError: ['STORAGE_BLOCKED', newer, false],
  NotReadableError: ['STORAGE_CORRUPT', 'Stored data are lost. Export what can be read.'],
  DataCloneError: unstorable,
  DataError: unstorable,
  RangeError: unstorable,
};

/** How Chromium and Firefox name a full disk in the message of an `UnknownError`. */
const fullDisk = /NO_SPACE|NO_DEVICE_SPACE|full disk|disk (is )?full|no space left/i;

/** The error of a write with a value that no try can store. */
export function rejected(cause: unknown): AgentError {
  return toError(unstorable, cause);
}

/** Returns the `AgentError` for an error of IndexedDB; `code` applies where the error's name has no meaning of its own. */
export function toStorageError(thrown: unknown, code: AgentErrorCode = 'STORAGE_FAILED'): AgentError {
  if (thrown instanceof AgentError) return thrown;
  const text = `The browser's storage failed: ${messageOf(thrown)}`;
  return toError(fullDisk.test(text) ? full : (meanings[nameOf(thrown)] ?? [code, text]), thrown);
}

function toError([code, message, retryable]: Meaning, cause: unknown): AgentError {
  return new AgentError(message, { code, retryable, cause });
}

/** `STORAGE_CONFLICT`: the stored session is not at the `expectedSeq` of a write. */
export function conflict(): AgentError {
  return toStorageError(new DOMException('', 'ConstraintError'));
}

/** Whether a newer version of the page has upgraded the database: this version can neither read nor change it. */
export function isNewerDatabase(thrown: unknown): boolean {
  return nameOf(thrown) === 'VersionError';
}

/** Whether the connection may be closed or unusable although the store did not close it: a new connection may work. */
export function isConnectionLost(thrown: unknown): boolean {
  return ['InvalidStateError', 'AbortError', 'UnknownError', 'TransactionInactiveError'].includes(nameOf(thrown));
}

function nameOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.name : '';
}
