import { defined } from '../../core/json.ts';
import type { StoredSession } from '../../core/model/store.ts';
import type { Base } from './base.ts';
import { toForkLog } from './fork-log.ts';
import { isUntouchedFork, toForkId } from './names.ts';
import type { Plan } from './plan.ts';
import type { Sides, SyncEnv } from './sides.ts';
import { everything, toWrite } from './to-write.ts';

/** Stores this device's log as a session of its own. Invariant: it is stored before its events are replaced, and found again after a crash. */
export async function keepAsFork(
  { first }: Extract<Plan, { do: 'fork' }>,
  { id, base, here }: Sides,
  env: SyncEnv,
): Promise<void> {
  const { local, bases, ports, device, toForkTitle = toKeptTitle } = env;
  if (typeof here !== 'object') return;
  const { forking } = base ?? {};
  // Events that are still here belong to a try that was cut off; those that are not here any more are kept already.
  const isRetry = forking !== undefined && hasEvent(here, forking.first);
  const earlier = isRetry ? await local.read(forking.id, { after: Infinity }) : undefined;
  // A person may have continued the session that the earlier try has kept.
  const isOwn = earlier === undefined || isUntouchedFork(earlier.writeId);
  const forkId = isRetry && isOwn ? forking.id : ports.id();
  const stored = isOwn ? earlier : undefined;
  const keptAs = isRetry || forking === undefined ? base?.keptAs : await finishFork(id, forking, env);
  await bases.set(id, {
    seq: 0,
    ...base,
    ...defined({ keptAs }),
    forking: { id: forkId, first: JSON.stringify(first) },
  });
  if (keptAs !== undefined && keptAs !== base?.keptAs) env.onFork({ sessionId: id, keptAs, device });
  const writeId = toForkId(forkId, here.writeId ?? String(here.summary.seq));
  if (stored?.writeId === writeId) return;
  const { events, summary } = toForkLog(here.events, forkId, (title) => toForkTitle(title, device));
  await local.write({ ...toWrite(forkId, events, summary, stored), writeId, ...(stored && { replaces: everything }) });
}

function toKeptTitle(title: string, device: string): string {
  return `${title} (kept from ${device})`.trim();
}

function hasEvent({ events }: StoredSession, json: string): boolean {
  return events.some((event) => JSON.stringify(event) === json);
}

/** Returns the id of a fork whose events were replaced. A fork whose events are still here, because the other side was removed, is removed. */
export async function finishFork(
  id: string,
  { id: forkId, first }: NonNullable<Base['forking']>,
  { local }: SyncEnv,
): Promise<string | undefined> {
  const log = await local.read(id);
  const fork = await local.read(forkId, { after: Infinity });
  if (fork === undefined) return undefined;
  if (log === undefined || !hasEvent(log, first)) return forkId;
  if (isUntouchedFork(fork.writeId)) await local.remove(forkId);
  return undefined;
}
