import { isJsonObject } from '../core/json.ts';
import type { MetadataFilter } from '../core/model/store.ts';

/** Whether a row of the list, of any shape, has each of these values in its metadata. */
export function hasMetadata(row: unknown, where: MetadataFilter = {}): boolean {
  const metadata = isJsonObject(row) && isJsonObject(row.metadata) ? row.metadata : {};
  return Object.entries(where).every(([key, value]) => Object.hasOwn(metadata, key) && metadata[key] === value);
}
