import { when } from '../log/current.ts';
import type { Log } from '../log/log.ts';
import { isUnderWay, statusOf } from '../model/status.ts';

/** Calls `work` when no run is under way: at once, or in the turn of the check, since other work that waits for the same moment may start a run. */
export async function doWhenIdle<T>({ view, getState }: Log, work: () => T): Promise<Awaited<T>> {
  while (isUnderWay(statusOf(getState()))) await when(view(statusOf), (status) => !isUnderWay(status));
  return await work();
}
