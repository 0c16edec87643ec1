import { isJsonObject } from '../core/json.ts';
import type { ListOptions, MetadataFilter } from '../core/model/store.ts';

type Asked = { readonly [Name in 'where' | 'waiting' | 'children']: ListOptions[Name] | undefined };

/** Whether a row of any shape belongs to a list: of sessions that no call has started, or that wait, or of all (`children`). */
export function isListed(row: unknown, { where, waiting, children }: Asked): boolean {
  const isChild = isJsonObject(row) && row.path !== undefined;
  return (!isChild || waiting === true || children === true) && hasMetadata(row, where);
}

/** Whether a row has each of these values in its metadata. */
function hasMetadata(row: unknown, where: MetadataFilter = {}): boolean {
  const metadata = isJsonObject(row) && isJsonObject(row.metadata) ? row.metadata : {};
  return Object.entries(where).every(([key, value]) => Object.hasOwn(metadata, key) && metadata[key] === value);
}
