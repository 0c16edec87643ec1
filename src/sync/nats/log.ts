import { isJsonObject, type Json } from '../../core/json.ts';
import type { Head, Parts } from './head.ts';

/** Where a text of an event is stored. */
export interface BlobPlace {
  /** The keys that lead from the list of events to the text. */
  readonly path: readonly (string | number)[];
  readonly hash: string;
  readonly count: number;
}

/** The data of a write, as JSON. */
export interface Body {
  readonly events: readonly Json[];
  readonly replaces: readonly (readonly [from: number, to: number])[];
  /** Texts of `events` that are stored apart. */
  readonly blobs: readonly BlobPlace[];
}

/** A message of a log with its head. */
export interface LogMessage {
  readonly at: number;
  /** Identifies the message on every server, which its number does not. */
  readonly id: string;
  readonly head: Head;
  /** Missing where the message has none, or it cannot be read. */
  readonly body?: Body | undefined;
  /** Number of texts that are stored apart and cannot be read. */
  readonly missing: number;
}

/** What the messages of a log add up to. */
export interface Log {
  /** The number of the last message. */
  readonly at: number;
  /** The id of the last message. */
  readonly id: string;
  readonly head: Head;
  /** The events, unchecked and in no order. */
  readonly rows: readonly Json[];
  /** Uploads that the messages refer to. */
  readonly uploads: readonly Parts[];
  /** What cannot be read, as text for an error message. */
  readonly damage: readonly string[];
  /** Whether a message before the last one is missing. */
  readonly hasGap: boolean;
}

/** Adds messages to a log, in a time that grows with their number. Returns `undefined` where there is no log and no message. */
export function fold(log: Log | undefined, messages: readonly LogMessage[]): Log | undefined {
  let known = log && { ...log, rows: [...log.rows], uploads: [...log.uploads], damage: [...log.damage] };
  for (const { at, id, head, body, missing } of messages) {
    // A tombstone and its undoing leave the events as they are.
    if (known && !head.isWhole && (head.isRemoved || known.head.isRemoved)) {
      known = { ...known, at, id, head };
      continue;
    }
    const before: typeof known = head.isWhole ? undefined : known;
    // Numbers of the stream cannot show a gap: they differ from server to server after a failure.
    const isGap = !head.isWhole && before?.head.seq !== head.after;
    const { rows = [], uploads = [], damage = [] } = before ?? {};
    const { events, replaces } = body ?? { events: [], replaces: [] };
    const isReplaced = (row: Json): boolean => replaces.some(([from, to]) => from <= seqOf(row) && seqOf(row) <= to);
    const kept = replaces.length > 0 ? rows.filter((row) => !isReplaced(row)) : rows;
    for (const event of events) kept.push(event);
    if (head.parts) uploads.push(head.parts);
    if (isGap) damage.push(`what was written before seq ${head.after}`);
    if (!body && !head.isRemoved) damage.push(`what was written up to seq ${head.seq}`);
    if (missing > 0) damage.push(`${missing} of its attachments`);
    known = { at, id, head, rows: kept, uploads, damage, hasGap: isGap || before?.hasGap === true };
  }
  return known;
}

function seqOf(row: Json): number {
  return isJsonObject(row) ? Number(row.seq) : Number.NaN;
}

/** Returns the data of a write; `undefined` where it is damaged. */
export function toBody(value: Json | undefined): Body | undefined {
  return isBody(value) ? value : undefined;
}

function isBody(value: unknown): value is Body {
  if (!isJsonObject(value)) return false;
  const { events, replaces, blobs } = value;
  return Array.isArray(events) && isListOf(replaces, isRange) && isListOf(blobs, isPlace);
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function isRange(value: unknown): boolean {
  return isListOf(value, (end) => typeof end === 'number');
}

function isPlace(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { path, hash, count } = value;
  const isPath = isListOf(path, (key) => typeof key === 'string' || typeof key === 'number');
  return isPath && typeof hash === 'string' && typeof count === 'number';
}
