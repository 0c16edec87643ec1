import { isJsonObject, type Json } from '../core/json.ts';
import type { Head, Parts } from './head.ts';

/** Longer texts in events are stored once, under the hash of their content, in characters. */
export const longestText = 16_384;

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
  /** The number of the message before. */
  readonly previous: number;
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

/** Adds a message to a log. */
export function fold(log: Log | undefined, { at, previous, head, body, missing }: LogMessage): Log {
  const before = head.isWhole ? undefined : log;
  // A tombstone and its undoing leave the events as they are.
  if (before && (head.isRemoved || before.head.isRemoved)) return { ...before, at, head };
  const { events, replaces } = body ?? { events: [], replaces: [] };
  const kept = (before?.rows ?? []).filter(
    (row) => !replaces.some(([from, to]) => from <= seqOf(row) && seqOf(row) <= to),
  );
  const isGap = !head.isWhole && before?.at !== previous;
  return {
    at,
    head,
    rows: [...kept, ...events],
    uploads: [...(before?.uploads ?? []), ...(head.parts ? [head.parts] : [])],
    damage: [
      ...(before?.damage ?? []),
      ...(isGap ? [`what was written before seq ${head.after}`] : []),
      ...(body || head.isRemoved ? [] : [`what was written up to seq ${head.seq}`]),
      ...(missing > 0 ? [`${missing} of its attachments`] : []),
    ],
    hasGap: isGap || before?.hasGap === true,
  };
}

function seqOf(row: Json): number {
  return isJsonObject(row) ? Number(row.seq) : Number.NaN;
}

/** Returns the data of a write; `undefined` where it is damaged. */
export function toBody(value: Json | undefined): Body | undefined {
  return isBody(value) ? value : undefined;
}

function isBody(value: unknown): value is Body {
  return isJsonObject(value) && [value.events, value.replaces, value.blobs].every(Array.isArray);
}
