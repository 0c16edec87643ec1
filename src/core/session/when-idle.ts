import { when } from '../log/current.ts';
import type { Log } from '../log/log.ts';
import { isUnderWay, statusOf } from '../model/status.ts';

/** Calls `work` when no run is under way, in the turn of the check: other work that waits for the same moment may start a run. */
export async function doWhenIdle<T>({ view, getState }: Log, work: () => T): Promise<Awaited<T>> {
  do await when(view(statusOf), (status) => !isUnderWay(status));
  while (isUnderWay(statusOf(getState())));
  return await work();
}
