import type { Json, JsonObject } from '../../core/json.ts';

/**
 * Returns a name of a tool or of a field in lower case, letters and digits only, without the prefix of an MCP server:
 * `old_string`, `oldString` and `Old-String` are equal, and so are `editFile` and `mcp__files__editFile`.
 */
export function normalizeName(name: string): string {
  return (name.split('__').at(-1) ?? name).toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/**
 * Returns the value of the first of several fields that is present.
 *
 * @param keys in the form of `normalizeName`, the most specific first
 */
export function valueAt(from: JsonObject, keys: readonly string[]): Json | undefined {
  const found = new Map(Object.entries(from).map(([key, value]) => [normalizeName(key), value]));
  for (const key of keys) if (found.get(key) !== undefined) return found.get(key);
  return undefined;
}

export function textAt(from: JsonObject, keys: readonly string[]): string | undefined {
  const value = valueAt(from, keys);
  return typeof value === 'string' ? value : undefined;
}

/** Field names under which tools of common agents take a path. */
export const pathKeys: readonly string[] = [
  'filepath',
  'path',
  'file',
  'filename',
  'absolutepath',
  'notebookpath',
  'targetfile',
];
