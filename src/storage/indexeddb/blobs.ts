import type { SessionEvent } from '../../core/model/event.ts';
import { isJsonObject } from '../../core/json.ts';

/** Where in an event a value belongs. */
export type Path = readonly (string | number)[];

/** A value that is kept apart from its event. */
export interface BlobRef {
  readonly seq: number;
  readonly path: Path;
  /** SHA-256 of the value's JSON, in hexadecimal digits. */
  readonly hash: string;
}

/** Events as they lie on the disk: where something big has been taken out stands `null`, so that keys keep their order. */
export interface Packed {
  readonly rows: readonly unknown[];
  readonly refs: readonly BlobRef[];
  readonly blobs: ReadonlyMap<string, unknown>;
}

/** Attachments below are not worth a row of their own, in characters of JSON. */
export const smallest = 1_024;

/** Whether there may be something in the event to keep apart. */
export function mayHaveBlobs(event: SessionEvent): boolean {
  return /^(message|part|call.ended)/.test(event.type) && JSON.stringify(event).length > smallest;
}

export function isBlobRef(row: unknown): row is BlobRef {
  return isJsonObject(row) && typeof row.seq === 'number' && Array.isArray(row.path) && typeof row.hash === 'string';
}
