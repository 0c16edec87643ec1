import { when } from '../log/current.ts';
import type { Log } from '../log/log.ts';
import { isUnderWay, statusOf } from '../model/status.ts';

/**
 * Calls `work` when no run is under way: at once, or in the turn of the check, since other work that waits for the same moment may start a
 * run. Calls it also when the log is closed: its status changes no more.
 */
export async function doWhenIdle<T>(
  { view, getState }: Pick<Log, 'view' | 'getState'>,
  work: () => T,
): Promise<Awaited<T>> {
  const isIdle = (): boolean => !isUnderWay(statusOf(getState()));
  while (!isIdle() && (await when(view(isIdle), Boolean))) continue;
  return await work();
}
