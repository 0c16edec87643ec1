import type { SessionEvent } from '../../core/model/event.ts';
import { isJsonObject } from '../../core/json.ts';

/** The keys that lead from an event to a value inside it. */
export type Path = readonly (string | number)[];

/** A reference from an event to a value that is stored in the table `blobs`. */
export interface BlobRef {
  /** Of the event. */
  readonly seq: number;
  readonly path: Path;
  /** SHA-256 of the value's JSON, in hexadecimal digits. */
  readonly hash: string;
}

/** Events whose big values are stored as blobs. */
export interface Packed {
  /** The events; a big value is replaced by `null`, so that keys keep their order. */
  readonly rows: readonly unknown[];
  readonly refs: readonly BlobRef[];
  /** Values by hash. */
  readonly blobs: ReadonlyMap<string, unknown>;
}

/** Smaller attachments stay in their event, in characters of JSON. */
export const smallest = 1_024;

/** Events with messages, parts or results. */
type Holder = Extract<
  SessionEvent,
  { readonly message: unknown } | { readonly part: unknown } | { readonly type: 'call.ended' }
>['type'];

const holders = {
  'message.added': true,
  'message.updated': true,
  'message.queued': true,
  'part.added': true,
  'call.ended': true,
} satisfies Record<Holder, true>;

/**
 * Whether the event may contain a value for the table `blobs`. A quick check; `pack` decides.
 *
 * @throws TypeError for an event that is not JSON
 */
export function mayHaveBlobs(event: SessionEvent): boolean {
  return JSON.stringify(event).length > smallest && Object.hasOwn(holders, event.type);
}

export function isBlobRef(row: unknown): row is BlobRef {
  return isJsonObject(row) && typeof row.seq === 'number' && Array.isArray(row.path) && typeof row.hash === 'string';
}
