import { fail } from '../core/error.ts';
import { isJsonObject } from '../core/json.ts';
import type { ListOptions, MetadataFilter } from '../core/model/store.ts';

type Asked = { readonly [Name in 'where' | 'waiting' | 'children']: ListOptions[Name] | undefined };

/** Whether a row of any shape belongs to a list: of sessions that no call has started, or that wait, or of all (`children`). */
export function isListed(row: unknown, { where, waiting, children }: Asked): boolean {
  const isChild = isJsonObject(row) && row.path !== undefined;
  return (!isChild || waiting === true || children === true) && hasMetadata(row, where);
}

/** Whether a row has, or has not, each of these values in its metadata. A list has each of its items. */
function hasMetadata(row: unknown, where: MetadataFilter = {}): boolean {
  const metadata = isJsonObject(row) && isJsonObject(row.metadata) ? row.metadata : {};
  const has = (key: string, value: unknown): boolean => {
    if (!Object.hasOwn(metadata, key)) return false;
    const stored = metadata[key];
    return stored === value || (Array.isArray(stored) && stored.includes(value));
  };
  return Object.entries(where).every(([key, wanted]) =>
    isJsonObject(wanted) ? !has(key, wanted.not) : has(key, wanted),
  );
}

/** @throws AgentError `INVALID_INPUT` for a value that no metadata fit by mistake: a filter that is ignored would show every session */
export function checkWhere(where: MetadataFilter = {}): void {
  for (const [key, value] of Object.entries(where)) {
    const isNegated = isJsonObject(value) && Object.keys(value).join() === 'not';
    const given: unknown = isNegated ? value.not : value;
    if (given !== null && !['string', 'number', 'boolean'].includes(typeof given))
      fail(
        'INVALID_INPUT',
        `where.${key} must be a string, a number, a boolean or null, or { not: … } with one of these.`,
      );
  }
}
