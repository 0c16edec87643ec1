import { isJsonObject, type JsonObject } from '../core/json.ts';
import { toList, toText } from '../core/model/read-json.ts';
import { MCPError } from './errors.ts';
import type { Peer } from './peer.ts';

const maxPages = 100;
const maxItems = 1_000;

/** Returns all items of a list of a server. Rejects with MCPError, `malformed` for a list without an end. */
export async function listAll(
  peer: Peer,
  host: string,
  what: 'tools' | 'prompts' | 'resources',
  signal?: AbortSignal,
): Promise<readonly JsonObject[]> {
  const items: JsonObject[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  do {
    const page = await peer.request(`${what}/list`, cursor === undefined ? {} : { cursor }, { signal });
    items.push(...toList(page[what]).filter(isJsonObject));
    cursor = toText(page.nextCursor) || undefined;
    const isEndless = cursor !== undefined && (cursors.has(cursor) || cursors.size >= maxPages);
    if (isEndless || items.length > maxItems)
      throw new MCPError('malformed', `${host} sent a list of ${what} without an end: its owner must correct it.`);
    if (cursor !== undefined) cursors.add(cursor);
  } while (cursor !== undefined);
  return items;
}
