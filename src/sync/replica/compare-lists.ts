import type { SessionStore, SessionSummary } from '../../core/model/store.ts';
import type { Bases } from './base.ts';
import { isRow } from './check-rows.ts';
import { stamp } from './origin.ts';
import { startedAt, toWrite } from './to-write.ts';

/** Ids of sessions, the newest first. */
export interface ListChanges {
  /** Those that may differ between the two stores. */
  readonly changed: readonly string[];
  /** Those whose row is here now, and whose log is not. */
  readonly added: readonly string[];
}

/**
 * Compares the lists of two stores. A session may differ whose rows differ, and one that has grown since both sides were the same: two devices
 * may have grown a session to the same row. The rows that this device lacks are stored, so that its list is complete before it has fetched a
 * log.
 */
export async function compareLists(
  local: SessionStore,
  remote: SessionStore,
  bases: Pick<Bases, 'get'>,
  newId: () => string,
): Promise<ListChanges> {
  const there = await rowsOf(remote);
  const here = await rowsOf(local);
  const ids = [...new Set([...there.keys(), ...here.keys()])];
  const changed: string[] = [];
  const added: string[] = [];
  for (let from = 0; from < ids.length; from += atOnce) {
    const some = ids.slice(from, from + atOnce);
    const lists = await Promise.all(
      some.map(async (id) => {
        const [mine, theirs] = [here.get(id), there.get(id)];
        // A row that was stored before has this `seq`.
        if (theirs && (mine ? mine.seq === 1 : await storeRow(theirs, local, newId))) return added;
        if (isOther(mine, theirs)) return changed;
        const base = await bases.get(id);
        // A fork that was begun may be done, and not noted.
        return base?.seq !== mine?.seq || base?.forking !== undefined ? changed : undefined;
      }),
    );
    for (const [index, id] of some.entries()) lists[index]?.push(id);
  }
  return { changed, added };
}

/** Bases that are read at a time. */
const atOnce = 100;

/** Returns all rows of a store, newest first. A session that changes meanwhile may be missed: its change is announced. */
async function rowsOf(store: SessionStore): Promise<ReadonlyMap<string, SessionSummary>> {
  const rows = new Map<string, SessionSummary>();
  let cursor: string | undefined;
  do {
    const page = await store.list({ limit: 500, children: true, ...(cursor !== undefined && { cursor }) });
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

/**
 * Stores the row of a session of another device, so that the list has it before its log is fetched: a log of one event, with the row of the
 * remote store. Resolves with whether it is stored. Invariant: no page reads this log, or writes above it. `planOf` and the verbs of the
 * synced store replace it first.
 */
async function storeRow(row: SessionSummary, local: SessionStore, newId: () => string): Promise<boolean> {
  const { id } = row;
  // The mark of a removed session has no message, either.
  if (row.messageCount === 0 || !isRow(row) || ((await local.wasRemoved?.(id)) ?? true)) return false;
  const unique = newId();
  return local
    .write(toWrite(id, [startedAt(id, row.createdAt)], row, undefined, stamp(unique, unique, { kind: 'row' })))
    .then(
      () => true,
      // Another tab was first, or the store takes nothing: the session is compared as a whole, which reports what is wrong.
      () => false,
    );
}
