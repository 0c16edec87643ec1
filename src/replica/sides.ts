import { AgentError } from '../core/error.ts';
import { defined } from '../core/json.ts';
import type { SessionStore, StoredSession } from '../core/model/store.ts';
import type { Ports } from '../core/ports.ts';
import type { Base, Bases } from './base.ts';
import { checkRows } from './check-rows.ts';
import { isListed, isRemoval } from './names.ts';
import type { Side } from './plan.ts';
import type { ForkNotice, ReplicaOptions, Trouble } from './replica-options.ts';

/** What one session is synchronized with. */
export interface SyncEnv {
  readonly local: SessionStore;
  readonly remote: SessionStore;
  readonly bases: Bases;
  readonly device: string;
  readonly ports: Pick<Ports, 'id' | 'now'>;
  readonly toForkTitle: ReplicaOptions['toForkTitle'];
  readonly onFork: (fork: ForkNotice) => void;
  readonly onTrouble: (trouble: Trouble) => void;
}

/** Both sides of a session, as they were read above `from`. */
export interface Sides {
  readonly id: string;
  readonly base: Base | undefined;
  readonly here: Side;
  readonly there: Side;
  /** The mark that the remote store has in the place of a removed session. */
  readonly mark?: StoredSession | undefined;
  /** What this device has in the place of a log that is not here yet: its row. */
  readonly row?: StoredSession | undefined;
  readonly from: number;
}

/** ms after which the mark of a removed session is removed: longer than any request is under way. */
const markLasts = 600_000;

/**
 * Reads both sides of a session.
 *
 * @param isTrusted whether the remote store has what the base says: then it is not read
 * @param isWhole whether the logs are read from their beginning
 */
export async function readSides(id: string, env: SyncEnv, isTrusted: boolean, isWhole: boolean): Promise<Sides> {
  const base = await env.bases.get(id);
  const from = isWhole ? 0 : (base?.seq ?? 0);
  const stored = await readSide(env.local, id, from);
  const row = typeof stored === 'object' && isListed(stored.writeId) ? stored : undefined;
  let here = row ? undefined : stored;
  if (typeof here === 'object' && isRemoval(here.writeId)) {
    // The removal was cut off after its mark.
    await env.local.remove(id);
    here = 'removed';
  }
  if (typeof here === 'object' && here.damage !== undefined)
    throw new AgentError(`Session ${id} is damaged on this device: ${here.damage}.`, { code: 'STORAGE_CORRUPT' });
  const mine = { id, base, here, row, from };
  if (isTrusted && !isWhole && base !== undefined && typeof here === 'object') {
    const { seq, theirs } = base;
    return { ...mine, there: { summary: { ...here.summary, seq }, events: [], ...defined({ writeId: theirs }) } };
  }
  const there = await readSide(env.remote, id, from);
  if (typeof there === 'object' && !isRemoval(there.writeId)) return { ...mine, there: checkRows(id, there, from) };
  // A row whose log is gone.
  if (row) await env.local.remove(id);
  if (typeof there !== 'object') return { ...mine, there };
  if (there.summary.updatedAt > env.ports.now() - markLasts) return { ...mine, there: 'removed', mark: there };
  await env.remote.remove(id);
  return { ...mine, there: 'removed' };
}

async function readSide(store: SessionStore, id: string, after: number): Promise<Side> {
  const stored = await store.read(id, after === 0 ? undefined : { after });
  return stored ?? (((await store.wasRemoved?.(id)) ?? true) ? 'removed' : undefined);
}
