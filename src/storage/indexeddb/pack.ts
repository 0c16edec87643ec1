import type { SessionEvent } from '../../core/model/event.ts';
import type { Part, ToolPart } from '../../core/model/message.ts';
import { blobNameOf } from './blob-name.ts';
import { type BlobRef, type Packed, type Path, smallest } from './blobs.ts';

/** Outputs and details of tools above this size are stored as blobs, in characters of JSON. */
const bigOutput = 32_768;

/**
 * Moves attachments and big outputs from events to blobs, so that equal content is stored once. Resolves with `undefined`
 * where the browser offers no hashes (pages without HTTPS): the events are then stored unchanged.
 */
export async function pack(events: readonly SessionEvent[]): Promise<Packed | undefined> {
  // Missing on pages without HTTPS, although its type does not state it.
  const { subtle }: Partial<Crypto> = crypto;
  if (subtle === undefined) return undefined;
  const refs: BlobRef[] = [];
  const blobs = new Map<string, unknown>();
  const rows: unknown[] = [];
  for (const event of events) {
    let row: unknown = event;
    for (const { path, value } of bigValuesIn(event)) {
      const hash = await blobNameOf(value);
      blobs.set(hash, value);
      refs.push({ seq: event.seq, path, hash });
      row = without(row, path);
    }
    rows.push(row);
  }
  return { rows, refs, blobs };
}

/** A value to store as a blob. */
interface BigValue {
  readonly path: Path;
  readonly value: unknown;
}

function bigValuesIn(event: SessionEvent): readonly BigValue[] {
  switch (event.type) {
    case 'message.added':
    case 'message.updated':
      return event.message.content.flatMap((part, index) => bigValuesInPart(part, ['message', 'content', index]));
    case 'part.added':
      return bigValuesInPart(event.part, ['part']);
    case 'call.ended':
      return bigValuesInCall(event, []);
    default:
      return [];
  }
}

function bigValuesInPart(part: Part, path: Path): readonly BigValue[] {
  if (part.type === 'tool') return bigValuesInCall(part, path);
  if (part.type !== 'image' && part.type !== 'audio' && part.type !== 'file') return [];
  return valuesAbove(smallest, path, { data: part.data });
}

function bigValuesInCall({ output, details }: Pick<ToolPart, 'output' | 'details'>, path: Path): readonly BigValue[] {
  return valuesAbove(bigOutput, path, { output, details });
}

function valuesAbove(limit: number, path: Path, values: { readonly [key: string]: unknown }): readonly BigValue[] {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined && JSON.stringify(value).length > limit)
    .map(([key, value]) => ({ path: [...path, key], value }));
}

/** Returns a copy with `null` at the path; values beside the path are shared with the original. */
function without(value: unknown, [key = '', ...rest]: Path): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const copy: object = Array.isArray(value) ? value.slice() : { ...value };
  Reflect.set(copy, key, rest.length === 0 ? null : without(Reflect.get(copy, key), rest));
  return copy;
}
