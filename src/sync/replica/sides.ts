import { AgentError } from '../../core/error.ts';
import { defined } from '../../core/json.ts';
import type { SessionEvent } from '../../core/model/event.ts';
import type { SessionStore, StoredSession } from '../../core/model/store.ts';
import type { Ports } from '../../core/ports.ts';
import { type DecisionGuard, isDecision } from '../decision-guard.ts';
import { type Base, type Bases, type Doubts, doubtsOf } from './base.ts';
import { checkRows } from './check-rows.ts';
import { isListed, isRemoval } from './names.ts';
import type { Side } from './plan.ts';
import type { ForkNotice, SyncedStoreOptions, Trouble } from './options.ts';

/** What one session is synchronized with. */
export interface SyncEnv {
  readonly local: SessionStore;
  readonly remote: SessionStore;
  readonly bases: Bases;
  readonly device: string;
  readonly devices: DecisionGuard | undefined;
  readonly ports: Pick<Ports, 'id' | 'now'>;
  readonly toForkTitle: SyncedStoreOptions['toForkTitle'];
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
  /** What was found as the decisions of the remote log were checked; missing where nothing was to be checked. */
  readonly doubts?: Doubts;
  /** Whether decisions of the remote log are left out: the log of this device is then not the one of the device that wrote last. */
  readonly isCurbed?: boolean;
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
  if (typeof there === 'object' && !isMark(there)) {
    const checked = checkRows(id, there, from);
    return env.devices ? vetSide(mine, checked, env, env.devices) : { ...mine, there: checked };
  }
  // A row whose log is gone.
  if (row) await env.local.remove(id);
  if (typeof there !== 'object') return { ...mine, there };
  if (there.summary.updatedAt > env.ports.now() - markLasts) return { ...mine, there: 'removed', mark: there };
  await env.remote.remove(id);
  return { ...mine, there: 'removed' };
}

/** Whether the remote store has the mark of a removal: its content says so as well, which a codec binds better than the name of a write. */
function isMark({ writeId, events: [first, ...rest], summary }: StoredSession): boolean {
  const isAlone = first?.type === 'session.started' && rest.length === 0;
  return isRemoval(writeId) && isAlone && summary.messageCount === 0;
}

async function readSide(store: SessionStore, id: string, after: number): Promise<Side> {
  const stored = await store.read(id, after === 0 ? undefined : { after });
  return stored ?? (((await store.wasRemoved?.(id)) ?? true) ? 'removed' : undefined);
}

/**
 * Leaves decisions out of a remote log that no known device has made. Reads the whole logs where the call of a decision that was left out may
 * have ended since.
 */
async function vetSide(
  mine: Omit<Sides, 'there'>,
  there: StoredSession,
  env: SyncEnv,
  devices: DecisionGuard,
): Promise<Sides> {
  const { id, base, here, from } = mine;
  if (from > 0 && base?.isOpen && there.events.length > 0) return readSides(id, env, false, true);
  if (from > 0 && !there.events.some(isDecision)) return { ...mine, there };
  const log = from === 0 || typeof here !== 'object' ? here : await env.local.read(id);
  const { events, summary, held, isOpen, spent } = await devices.vet({
    sessionId: id,
    theirs: there.events,
    mine: typeof log === 'object' ? log.events : [],
    from,
    agreed: base?.seq ?? 0,
    // Which calls had run in a session that was removed here since is unknown.
    spent: here === 'removed' && base ? callsIn(there.events) : (base?.spent ?? []),
  });
  const isCurbed = summary !== undefined;
  // Invariant: that a call has begun is stored before its beginning is taken back here, also where the page ends in between.
  const known = base && spent.length > (base.spent?.length ?? 0) ? { ...base, spent } : base;
  if (known && known !== base) await env.bases.set(id, known);
  return {
    ...mine,
    base: known,
    there: { ...there, events, ...(isCurbed && { summary }) },
    doubts: doubtsOf({ held, ...(isOpen && { isOpen }), spent }),
    isCurbed,
  };
}

function callsIn(events: readonly SessionEvent[]): readonly string[] {
  return events.flatMap((event) => (event.type === 'call.requested' ? [event.callId] : []));
}
