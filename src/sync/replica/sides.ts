import { defined } from '../../core/json.ts';
import type { SessionEvent } from '../../core/model/event.ts';
import type { SessionStore, StoredSession } from '../../core/model/store.ts';
import type { Ports } from '../../core/ports.ts';
import { type DecisionGuard, type HeldReason, isDecision, type Vetted } from '../decision-guard.ts';
import { type Base, type Bases, deviceOf, isTip } from './base.ts';
import { checkRows } from './check-rows.ts';
import { classify, type LogState, type Place, type SideState } from './classify.ts';
import type { ForkNotice, ConnectOptions, SyncProblem } from './options.ts';

/** What one session is synchronized with. */
export interface SyncEnv {
  readonly local: SessionStore;
  readonly remote: SessionStore;
  readonly bases: Bases;
  readonly device: string;
  readonly devices: DecisionGuard | undefined;
  readonly ports: Pick<Ports, 'id' | 'now'>;
  readonly toForkTitle: ConnectOptions['toForkTitle'];
  readonly onFork: (fork: ForkNotice) => void;
  readonly onTrouble: (problem: SyncProblem) => void;
  /** Whether a person has removed the session, and it is still stored here. */
  readonly isBeingRemoved: (id: string) => boolean;
  /** Performs a write here together with the note of it: in between, the session looks as if this device had stored something. */
  readonly noting: (id: string, work: () => Promise<void>) => Promise<void>;
}

/** A fork that was begun: what is left of its making. */
interface BegunFork {
  readonly id: string;
  readonly state: SideState;
  /** Whether the log still has the events that the fork keeps. */
  readonly isNeeded: boolean;
}

/** What was read of one session: all that `planOf` decides by. */
export interface Sides {
  readonly id: string;
  readonly base: Base | undefined;
  readonly here: SideState;
  readonly there: SideState;
  /** The logs were read above this `seq`; 0 where they were read whole. */
  readonly from: number;
  /** ms since the epoch when they were read. */
  readonly now: number;
  /** Whether decisions of other devices are checked. */
  readonly isGuarded: boolean;
  /** What the check of the remote log has found; missing where nothing was to be checked. The log has it already. */
  readonly vetted?: Vetted | undefined;
  /** Why the removal there does not count; missing where it does, and where nothing was to be removed here. */
  readonly removalDoubt?: HeldReason | undefined;
  readonly fork?: BegunFork | undefined;
}

/**
 * Reads what the next step of one session is decided by, and changes nothing.
 *
 * @param isTrusted whether the remote store has what the base says: then it is not read
 * @param isWhole whether the logs are read from their beginning
 */
export async function readSides(id: string, env: SyncEnv, isTrusted: boolean, isWhole: boolean): Promise<Sides> {
  const { local, remote, bases, devices, ports } = env;
  const base = await bases.get(id);
  const from = isWhole ? 0 : (base?.seq ?? 0);
  const here = await readSide('here', local, id, from);
  const fork = base?.forking && (await readFork(id, base.forking, local));
  const read = { id, base, here, from, now: ports.now(), isGuarded: devices !== undefined, fork };
  if (isTrusted && !isWhole && base !== undefined && here.is === 'log')
    return { ...read, there: asNoted(base, here.stored) };
  const there = await readSide('there', remote, id, from);
  if (there.is !== 'log') {
    const removes = there.is !== 'missing' && here.is === 'log' && isTip(here.stored, base, 'mine');
    return { ...read, there, removalDoubt: removes ? await doubtOf(id, base, devices) : undefined };
  }
  const checked = { ...read, there: { ...there, stored: checkRows(id, there.stored, from) } };
  return devices && needsVetting(checked) ? vetThere(checked, checked.there, local, devices) : checked;
}

async function readSide(place: Place, store: SessionStore, id: string, after: number): Promise<SideState> {
  const stored = await store.read(id, after === 0 ? undefined : { after });
  return classify(place, stored, stored === undefined && ((await store.wasRemoved?.(id)) ?? true));
}

async function readFork(
  id: string,
  { id: forkId, first }: NonNullable<Base['forking']>,
  local: SessionStore,
): Promise<BegunFork> {
  const log = await local.read(id);
  const fork = await local.read(forkId, { after: Infinity });
  const isNeeded = log?.events.some((event) => JSON.stringify(event) === first) ?? false;
  return { id: forkId, state: classify('here', fork, false), isNeeded };
}

/** Returns the remote side as it was when both sides were the same. */
function asNoted(base: Base, { summary }: StoredSession): LogState {
  const stored = { summary: { ...summary, seq: base.seq }, events: [], ...defined({ writeId: base.theirs }) };
  return { is: 'log', stored, device: deviceOf(base), isUntouchedFork: false };
}

/** Resolves with the reason why a removal on the remote store does not count. */
async function doubtOf(
  id: string,
  base: Base | undefined,
  devices: DecisionGuard | undefined,
): Promise<HeldReason | undefined> {
  return devices?.removals?.vet(id, { seq: base?.seq ?? 0, writeId: base?.theirs });
}

/** Whether what the remote log has above `from` is not enough: a call is open whose decision does not count, and may have ended there since. */
export function mustReadWhole({ base, there, from, isGuarded }: Sides): boolean {
  return isGuarded && from > 0 && base?.isOpen === true && there.is === 'log' && there.stored.events.length > 0;
}

function needsVetting(sides: Sides & { readonly there: LogState }): boolean {
  return !mustReadWhole(sides) && (sides.from === 0 || sides.there.stored.events.some(isDecision));
}

/** Leaves decisions out of a remote log that no known device has made. */
async function vetThere(sides: Sides, there: LogState, local: SessionStore, devices: DecisionGuard): Promise<Sides> {
  const { id, base, here, from } = sides;
  const mine = here.is !== 'log' ? undefined : from === 0 ? here.stored : await local.read(id);
  const { stored } = there;
  const vetted = await devices.vet({
    sessionId: id,
    theirs: stored.events,
    mine: mine?.events ?? [],
    from,
    agreed: base?.seq ?? 0,
    // What had run in a session that was removed here is not known any more.
    spent: here.is === 'removed' && base ? callsIn(stored.events) : (base?.spent ?? []),
  });
  const { events, summary } = vetted;
  const counted = { ...stored, events, ...defined({ summary }) };
  return { ...sides, there: { ...there, stored: counted, isCurbed: summary !== undefined }, vetted };
}

function callsIn(events: readonly SessionEvent[]): readonly string[] {
  return events.flatMap((event) => (event.type === 'call.requested' ? [event.callId] : []));
}
