import { packRows, whenIdle } from './pack-rows.ts';
import { purgeDue } from './removal.ts';
import type { Database } from './schema.ts';
import { indexSessions } from './search/index-sessions.ts';

// What the store does while the page is idle. A browser that does not tell when it is idle (Safari), and Node, leave it to the verbs.

const tellsIdle = (): boolean => typeof requestIdleCallback === 'function';

/** Does what keeps later pages and searches fast: purges removed sessions, and indexes the others for searches. */
export async function tidy(db: Database, undoWindow: number): Promise<void> {
  await purgeDue(db, undoWindow).catch(() => {});
  if (!tellsIdle()) return;
  await whenIdle();
  await indexSessions(db, { pause: whenIdle });
}

/** Logs that this page has tried to pack. */
const tried = new WeakMap<Database, Set<string>>();

/** Packs the rows of a long log, so that the next page opens it faster. @param log the rows as they were read */
export async function packInIdleTime(db: Database, sessionId: string, log: readonly unknown[]): Promise<void> {
  const ids = tried.get(db) ?? new Set<string>();
  tried.set(db, ids);
  if (!tellsIdle() || ids.has(sessionId)) return;
  ids.add(sessionId);
  await packRows(db, sessionId, log, whenIdle);
}
