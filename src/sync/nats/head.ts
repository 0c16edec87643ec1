import { AgentError } from '../../core/error.ts';
import { isJsonObject, parseJson } from '../../core/json.ts';
import type { SessionSummary } from '../../core/model/store.ts';
import { readSummary } from '../../storage/rows/rows.ts';
import { type CodedPlace, type Coder, fromBase64 } from './coder.ts';

/** What the header `Brooklet` of a message states, as JSON: what the list and a compare-and-set need without the data. */
export interface Head {
  /** `seq` of the last event; of a removed session, what it was. */
  readonly seq: number;
  /**
   * Counts the messages of the session from 1, those that were replaced as well: their order. Numbers of the stream differ from server to server
   * after a failure.
   */
  readonly nth: number;
  /** `seq` of the last event before the write; 0 where the message contains the whole log. */
  readonly after: number;
  readonly writeId?: string | undefined;
  /** The row of the list; encrypted: its bytes as base64. */
  readonly row: SessionSummary | string;
  /** ms since the epoch, of the row: the order of the list. */
  readonly updatedAt: number;
  /** `id` of the codec that has encrypted row and data. */
  readonly codec?: string | undefined;
  /** Of an encrypted message: the row is bound to the other fields, and the data to `writeId`. Missing in messages of earlier versions. */
  readonly form?: 2;
  /** The message contains the whole log: messages before it do not count. */
  readonly isWhole?: true;
  /** The session was removed. The other fields are those of the message before, for its restoration. */
  readonly isRemoved?: true;
  /** The events of the removed session are erased: it cannot be restored. */
  readonly isErased?: true;
  /** The message changes how the log is stored, and nothing else. */
  readonly isCompaction?: true;
  /** Bytes that the messages of the log have together. */
  readonly size: number;
  /** Bytes of the log as one message, when that was last measured. */
  readonly folded: number;
  /** Where the data of a write are that is larger than a message. */
  readonly parts?: Parts;
}

/** Pieces of one write, in messages of their own. */
export interface Parts {
  readonly upload: string;
  readonly count: number;
}

/** Returns the head of a message; `undefined` where the header is damaged, or no page of this package wrote it. */
export function parseHead(text: string): Head | undefined {
  const head = parseJson(text);
  return isHead(head) ? head : undefined;
}

function isHead(head: unknown): head is Head {
  if (!isJsonObject(head)) return false;
  const { seq, nth, after, row, updatedAt, size, folded, writeId, parts } = head;
  return (
    [seq, nth, after, updatedAt, size, folded].every((number) => typeof number === 'number') &&
    (typeof row === 'string' || isJsonObject(row)) &&
    (writeId === undefined || typeof writeId === 'string') &&
    (parts === undefined ||
      (isJsonObject(parts) && typeof parts.upload === 'string' && typeof parts.count === 'number'))
  );
}

/** Returns the place of an encrypted row: every field of its head that decides something is authenticated with it. */
export function placeOfRow(sessionId: string, head: Head): CodedPlace {
  if (head.form !== 2) return ['row', sessionId, head.seq];
  // Sizes determine when to compact, and nothing else.
  const { row: _row, size: _size, folded: _folded, ...words } = head;
  return ['head', sessionId, JSON.stringify(words)];
}

/** Returns the place of the data of a message. */
export function placeOfData(
  sessionId: string,
  { after, seq, writeId, form }: Pick<Head, 'after' | 'seq' | 'writeId' | 'form'>,
): CodedPlace {
  return form === 2 ? ['data', sessionId, after, seq, writeId ?? ''] : ['write', sessionId, after, seq];
}

/**
 * Resolves with the row of a head. Rejects with AgentError `STORAGE_LOCKED` where another codec, another key, or none has encrypted it, and with
 * `STORAGE_CORRUPT` where somebody without the key has changed the head.
 */
export async function openRow(coder: Coder, sessionId: string, head: Head): Promise<SessionSummary> {
  checkCodec(coder, head);
  const { row, seq, updatedAt } = head;
  if (coder.codec === undefined)
    return readSummary({ updatedAt, seq, ...(typeof row === 'object' && row), id: sessionId });
  if (typeof row !== 'string') throw notEncrypted();
  const opened = await coder.decode(fromBase64(row), placeOfRow(sessionId, head));
  const summary = readSummary({ updatedAt, seq, ...(isJsonObject(opened) && opened), id: sessionId });
  if (opened !== undefined && summary.seq === seq && summary.updatedAt === updatedAt) return summary;
  throw new AgentError(`The row of session ${sessionId} was changed by somebody without the key.`, {
    code: 'STORAGE_CORRUPT',
    retryable: false,
  });
}

/**
 * Checks a head that says that its session was removed. Invariant: with a codec, only a client with the key can remove a session.
 *
 * Rejects as `openRow` does, and with AgentError `STORAGE_LOCKED` for a removal by an earlier version, which is not bound to its session.
 */
export async function checkRemoval(coder: Coder, sessionId: string, head: Head): Promise<void> {
  if (coder.codec === undefined) return;
  await openRow(coder, sessionId, head);
  if (head.form === 2) return;
  const message =
    `The removal of session ${sessionId} does not count: it was made by somebody without the key, ` +
    'or by an earlier version of this page. Remove the session again.';
  throw new AgentError(message, { code: 'STORAGE_LOCKED', retryable: false });
}

/** As `openRow`, for a list: a row that cannot be decrypted has no title, and can be removed. */
export async function openListed(coder: Coder, sessionId: string, head: Head): Promise<SessionSummary> {
  try {
    return await openRow(coder, sessionId, head);
  } catch (thrown) {
    if (!(thrown instanceof AgentError) || thrown.retryable) throw thrown;
    return readSummary({ id: sessionId, seq: head.seq, updatedAt: head.updatedAt });
  }
}

/**
 * A store with a codec reads nothing that is not encrypted: a client that may write to the stream may lack the key.
 *
 * @throws AgentError `STORAGE_LOCKED`
 */
export function checkCodec({ codec }: Coder, head: Head): void {
  if (head.codec === codec) return;
  if (!head.codec) throw notEncrypted();
  const message = `The session is encrypted in the format "${head.codec}": pass the codec of that format as \`encrypt\`.`;
  throw new AgentError(message, { code: 'STORAGE_LOCKED', retryable: false });
}

function notEncrypted(): AgentError {
  const message = 'The session is not encrypted: this store reads encrypted sessions only.';
  return new AgentError(message, { code: 'STORAGE_LOCKED', retryable: false });
}
