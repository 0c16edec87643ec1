import type { SessionStore, SessionSummary } from '../core/model/store.ts';

/** Returns the ids of the sessions whose rows differ between two stores. */
export async function changedRows(local: SessionStore, remote: SessionStore): Promise<readonly string[]> {
  const there = await rowsOf(remote);
  const here = await rowsOf(local);
  return [...new Set([...there.keys(), ...here.keys()])].filter((id) => isOther(here.get(id), there.get(id)));
}

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
