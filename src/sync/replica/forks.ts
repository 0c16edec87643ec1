import { toForkLog } from './fork-log.ts';
import { nameOf, stamp } from './origin.ts';
import type { Step } from './plan.ts';
import type { Sides, SyncEnv } from './sides.ts';
import { everything, toWrite } from './to-write.ts';

/** Stores this device's log as a session of its own. Invariant: it is stored before its events are replaced, and found again after a crash. */
export async function keepAsFork(
  { first, begun, keptAs }: Extract<Step, { do: 'fork' }>,
  { id, base, here }: Sides,
  env: SyncEnv,
): Promise<void> {
  const { local, bases, ports, device, toForkTitle = toKeptTitle } = env;
  if (here.is !== 'log') return;
  const forkId = begun?.id ?? ports.id();
  const forking = { id: forkId, first: JSON.stringify(first) };
  await bases.set(id, { seq: 0, ...base, ...(keptAs !== undefined && { keptAs }), forking });
  if (keptAs !== undefined && keptAs !== base?.keptAs) env.onFork({ sessionId: id, keptAs, device });
  const { writeId, summary } = here.stored;
  const of = writeId === undefined ? String(summary.seq) : nameOf(writeId);
  const stamped = stamp(forkId, of, { kind: 'kept', of });
  if (begun?.stored?.writeId === stamped.writeId) return;
  const kept = toForkLog(here.stored.events, forkId, (title) => toForkTitle(title, device));
  const write = toWrite(forkId, kept.events, kept.summary, begun?.stored, stamped);
  await local.write({ ...write, ...(begun?.stored && { replaces: everything }) });
}

function toKeptTitle(title: string, device: string): string {
  return `${title} (kept from ${device})`.trim();
}
