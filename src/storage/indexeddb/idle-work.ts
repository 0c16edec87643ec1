import { packRows, whenIdle } from './pack-rows.ts';
import { purgeDue } from './removal.ts';
import { clearLegacyRows, rescue } from './rescue.ts';
import type { SessionDisk } from './schema.ts';
import { indexSessions } from './search/index-sessions.ts';

// What the store does while the page is idle. A browser that does not report when it is idle (Safari), and Node, leave it to the verbs.

const tellsIdle = (): boolean => typeof requestIdleCallback === 'function';

/** Does once what older versions left to do: shows sessions that lost their row, and deletes rows that were copied. */
export async function tidyUpgraded(disk: SessionDisk): Promise<void> {
  await rescue(disk).catch(() => {});
  await clearLegacyRows(disk).catch(() => {});
}

/** Does what keeps later pages and searches fast: purges removed sessions, and indexes the others for searches. */
export async function tidy(disk: SessionDisk, undoWindow: number): Promise<void> {
  await tidyUpgraded(disk);
  await purgeDue(disk, undoWindow).catch(() => {});
  if (!tellsIdle()) return;
  await whenIdle();
  await indexSessions(disk, { pause: whenIdle });
}

/** Logs that this page has tried to pack. */
const tried = new WeakMap<SessionDisk, Set<string>>();

/** Packs the rows of a long log, so that the next page opens it faster. @param log the rows as they were read */
export async function packInIdleTime(disk: SessionDisk, sessionId: string, log: readonly unknown[]): Promise<void> {
  const ids = tried.get(disk) ?? new Set<string>();
  tried.set(disk, ids);
  if (!tellsIdle() || ids.has(sessionId)) return;
  ids.add(sessionId);
  await packRows(disk, sessionId, log, whenIdle);
}
