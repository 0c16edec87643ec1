import type { SessionStore, SessionSummary } from '../core/model/store.ts';
import type { Bases } from './base.ts';

/**
 * Returns the ids of the sessions that may differ between two stores: those whose rows differ, and those that have grown since they were
 * the same. Two devices may have grown a session to the same row.
 */
export async function changedRows(
  local: SessionStore,
  remote: SessionStore,
  bases: Pick<Bases, 'get'>,
): Promise<readonly string[]> {
  const there = await rowsOf(remote);
  const here = await rowsOf(local);
  const ids = [...new Set([...there.keys(), ...here.keys()])];
  const changed: string[] = [];
  for (let from = 0; from < ids.length; from += atOnce) {
    const some = ids.slice(from, from + atOnce);
    const isChanged = await Promise.all(
      some.map(async (id) => isOther(here.get(id), there.get(id)) || (await bases.get(id))?.seq !== here.get(id)?.seq),
    );
    changed.push(...some.filter((_id, index) => isChanged[index]));
  }
  return changed;
}

/** Bases that are read at a time. */
const atOnce = 100;

/** Returns all rows of a store, newest first. A session that changes meanwhile may be missed: its change is announced. */
async function rowsOf(store: SessionStore): Promise<ReadonlyMap<string, SessionSummary>> {
  const rows = new Map<string, SessionSummary>();
  let cursor: string | undefined;
  do {
    const page = await store.list({ limit: 500, ...(cursor !== undefined && { cursor }) });
    for (const row of page.sessions) rows.set(row.id, row);
    ({ cursor } = page);
  } while (cursor !== undefined);
  return rows;
}

function isOther(one: SessionSummary | undefined, other: SessionSummary | undefined): boolean {
  return (
    one?.seq !== other?.seq ||
    one?.updatedAt !== other?.updatedAt ||
    one?.title !== other?.title ||
    one?.status !== other?.status
  );
}
