import { foldLog } from '../../core/model/fold.ts';
import type { SessionStore, StoredSession } from '../../core/model/store.ts';
import { toSummary } from '../../core/model/summary.ts';
import { type RowFacts, stamp } from './origin.ts';
import type { Sides, SyncEnv } from './sides.ts';
import { everything, startedAt, toWrite } from './to-write.ts';

/** Removes a session here that no device has changed since it was removed on the remote store. */
export async function removeHere({ id, here }: Sides, env: SyncEnv): Promise<void> {
  if (here.is !== 'log') return;
  await writeMark(id, env.local, here.stored, {}, env);
  await finishRemoval(id, env);
  await env.bases.set(id, undefined);
}

/** Removes a session on the remote store that no device has changed since it was removed here. A guard signs the removal first. */
export async function removeThere({ id, there }: Sides, env: SyncEnv): Promise<void> {
  if (there.is !== 'log') return;
  const { summary, writeId } = there.stored;
  await env.devices?.removals?.note(id, { seq: summary.seq, writeId });
  await writeMark(id, env.remote, there.stored, { device: env.device }, env);
  await env.bases.set(id, undefined);
}

/** Removes what is in the place of the log of a session here: a mark, or a row. */
export async function finishRemoval(id: string, { local }: SyncEnv): Promise<void> {
  await local.remove(id);
}

/**
 * Stores a mark in the place of a session. Invariant: a rival's write comes before the mark, or is refused. The remote store keeps the mark
 * for some time: its `remove` expects nothing, and could remove what a rival has stored again.
 */
async function writeMark(
  id: string,
  store: SessionStore,
  known: StoredSession,
  facts: RowFacts,
  { ports }: SyncEnv,
): Promise<void> {
  const started = { ...startedAt(id, ports.now()), seq: known.summary.seq + 1 };
  const stamped = stamp(ports.id(), ports.id(), { ...facts, kind: 'mark' });
  const write = toWrite(id, [started], toSummary(foldLog(id, [started])), known, stamped);
  await store.write({ ...write, replaces: everything });
}
