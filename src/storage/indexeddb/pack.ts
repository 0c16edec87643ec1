import type { SessionEvent } from '../../core/model/event.ts';
import type { Part, ToolPart } from '../../core/model/message.ts';
import { type BlobRef, type Packed, type Path, smallest } from './blobs.ts';

/** Outputs and details of tools from here on are kept apart, in characters of JSON. */
const bigOutput = 32_768;

/**
 * Takes attachments and big outputs out of events, so that each content is on the disk once, however often it occurs.
 * `undefined` where the browser gives no hashes (pages without HTTPS): then everything stays where it is.
 */
export async function pack(events: readonly SessionEvent[]): Promise<Packed | undefined> {
  // Missing where the page is not secure, whatever its type says.
  const { subtle }: Partial<Crypto> = crypto;
  if (subtle === undefined) return undefined;
  const refs: BlobRef[] = [];
  const blobs = new Map<string, unknown>();
  const rows: unknown[] = [];
  for (const event of events) {
    let row: unknown = event;
    for (const { path, value } of bulk(event)) {
      const digest = await subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(value)));
      const hash = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
      blobs.set(hash, value);
      refs.push({ seq: event.seq, path, hash });
      row = without(row, path);
    }
    rows.push(row);
  }
  return { rows, refs, blobs };
}

interface Bulk {
  readonly path: Path;
  readonly value: unknown;
}

function bulk(event: SessionEvent): readonly Bulk[] {
  switch (event.type) {
    case 'message.added':
    case 'message.updated':
      return event.message.content.flatMap((part, index) => bulkOfPart(part, ['message', 'content', index]));
    case 'part.added':
      return bulkOfPart(event.part, ['part']);
    case 'call.ended':
      return bulkOfCall(event, []);
    default:
      return [];
  }
}

function bulkOfPart(part: Part, path: Path): readonly Bulk[] {
  if (part.type === 'tool') return bulkOfCall(part, path);
  if (part.type !== 'image' && part.type !== 'audio' && part.type !== 'file') return [];
  return whereOver(smallest, path, { data: part.data });
}

function bulkOfCall({ output, details }: Pick<ToolPart, 'output' | 'details'>, path: Path): readonly Bulk[] {
  return whereOver(bigOutput, path, { output, details });
}

function whereOver(limit: number, path: Path, values: { readonly [key: string]: unknown }): readonly Bulk[] {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined && JSON.stringify(value).length > limit)
    .map(([key, value]) => ({ path: [...path, key], value }));
}

/** A copy with `null` at the path; what is beside the path is shared. */
function without(value: unknown, [key = '', ...rest]: Path): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const copy: object = Array.isArray(value) ? value.slice() : { ...value };
  Reflect.set(copy, key, rest.length === 0 ? null : without(Reflect.get(copy, key), rest));
  return copy;
}
