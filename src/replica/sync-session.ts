import { AgentError, toAgentError } from '../core/error.ts';
import { defined } from '../core/json.ts';
import { coalesce, firstSeq } from '../core/model/coalesce.ts';
import { eventVersion, isDelta, type SessionEvent } from '../core/model/event.ts';
import { isConcurrent } from '../core/model/rebase.ts';
import { foldLog } from '../core/model/replay.ts';
import type { SessionStore, SessionSummary, SessionWrite, StoredSession } from '../core/model/store.ts';
import { toSummary } from '../core/model/summary.ts';
import { lineageOf, toWriteId } from '../core/model/write-id.ts';
import type { Ports } from '../core/ports.ts';
import type { Base, Bases } from './base.ts';
import { checkRows } from './check-rows.ts';
import { toForkLog } from './fork-log.ts';
import {
  isRemoval,
  isUntouchedFork,
  runnerOf,
  toForkId,
  toLocalId,
  toMergedId,
  toRemoteId,
  toRemovalName,
} from './names.ts';
import { type Place, type Plan, planOf, type Side } from './plan.ts';
import { replacedBy } from './replaced-by.ts';
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
interface Sides {
  readonly id: string;
  readonly base: Base | undefined;
  readonly here: Side;
  readonly there: Side;
  /** The mark that the remote store has in the place of a removed session. */
  readonly mark?: StoredSession | undefined;
  readonly from: number;
}

/** How often a session is compared again because somebody wrote meanwhile. */
const tries = 12;
/** ms after which the mark of a removed session is removed: longer than any request is under way. */
const markLasts = 600_000;
/** A write that replaces what is stored. */
const everything = [[0, Number.MAX_SAFE_INTEGER]] as const;

/**
 * Brings one session in step: reads both sides, does what `planOf` returns, and begins again until nothing is left to do.
 *
 * Invariant: each step is one write that expects what was read, so a rival makes it fail, and a crash between two steps leaves what the
 * next call finds. Whoever calls holds the session's place in the queue: see `create-replica.ts`.
 *
 * @param isKnown whether the remote store has not reported a change since the base was noted: then it is not read before a write
 * @param isHot asked before text alone is sent: `true` postpones it
 * @returns the base, or `undefined` where neither side has the session; `postponed` where text waits
 * @throws what the stores reject with, and AgentError `STORAGE_CORRUPT` for a log that must not be taken over
 */
export async function syncSession(
  id: string,
  env: SyncEnv,
  isKnown: boolean,
  isHot: () => boolean = () => false,
): Promise<Base | 'postponed' | undefined> {
  let isTrusted = isKnown;
  let isWhole = false;
  for (let nth = 0; nth < tries; nth++) {
    const sides = await readSides(id, env, isTrusted, isWhole);
    const plan = planOf(sides.here, sides.there, sides.base, sides.from);
    if (plan.do === 'rest') return settle(sides, env);
    isTrusted &&= plan.do === 'write' && plan.to === 'there';
    if (plan.do === 'read-whole') {
      isWhole = true;
      continue;
    }
    if (plan.do === 'write' && plan.to === 'there' && plan.events.every(isDelta) && isHot()) return 'postponed';
    try {
      await perform(plan, sides, env);
    } catch (thrown) {
      if (toAgentError(thrown).code !== 'STORAGE_CONFLICT') throw thrown;
      isTrusted = false;
    }
  }
  throw new AgentError(`Session ${id} changes faster than it can be synchronized.`, { code: 'STORAGE_FAILED' });
}

async function readSides(id: string, env: SyncEnv, isTrusted: boolean, isWhole: boolean): Promise<Sides> {
  const base = await env.bases.get(id);
  const from = isWhole ? 0 : (base?.seq ?? 0);
  let here = await readSide(env.local, id, from);
  if (typeof here === 'object' && isRemoval(here.writeId)) {
    // The removal was cut off after its mark.
    await env.local.remove(id);
    here = 'removed';
  }
  if (typeof here === 'object' && here.damage !== undefined)
    throw new AgentError(`Session ${id} is damaged on this device: ${here.damage}.`, { code: 'STORAGE_CORRUPT' });
  if (isTrusted && !isWhole && base !== undefined && typeof here === 'object') {
    const { seq, theirs } = base;
    return {
      id,
      base,
      here,
      from,
      there: { summary: { ...here.summary, seq }, events: [], ...defined({ writeId: theirs }) },
    };
  }
  const there = await readSide(env.remote, id, from);
  if (typeof there !== 'object') return { id, base, here, from, there };
  if (!isRemoval(there.writeId)) return { id, base, here, from, there: checkRows(id, there, from) };
  if (there.summary.updatedAt > env.ports.now() - markLasts)
    return { id, base, here, from, there: 'removed', mark: there };
  await env.remote.remove(id);
  return { id, base, here, from, there: 'removed' };
}

async function readSide(store: SessionStore, id: string, after: number): Promise<Side> {
  const stored = await store.read(id, after === 0 ? undefined : { after });
  return stored ?? (((await store.wasRemoved?.(id)) ?? true) ? 'removed' : undefined);
}

async function perform(plan: Exclude<Plan, { do: 'rest' | 'read-whole' }>, sides: Sides, env: SyncEnv): Promise<void> {
  switch (plan.do) {
    case 'write':
      return plan.to === 'here' ? writeHere(plan, sides, env) : writeThere(plan, sides, env);
    case 'fork':
      await keepAsFork(plan, sides, env);
      // The next step finds both sides the same, and a fork that is done: as it would after a crash.
      return writeHere(plan, sides, env, false);
    case 'remove':
      return removeFrom(plan.from, sides, env);
  }
}

type Content = Pick<Extract<Plan, { do: 'write' }>, 'common' | 'events' | 'isMerged'>;

/** Stores what another device has written. Invariant: where the past of the log changes, another lineage begins, so that every tab reads it anew. */
async function writeHere(
  { common, events, isMerged }: Content,
  { id, base, here, there, from }: Sides,
  env: SyncEnv,
  isDone = !isMerged,
): Promise<void> {
  const { local, device, ports } = env;
  const known = typeof here === 'object' ? here : undefined;
  const theirs = typeof there === 'object' ? there : undefined;
  const isReplacing = known !== undefined && known.summary.seq > common;
  const lineage = isReplacing ? ports.id() : lineageOf(known?.writeId);
  // An id of its own where the log ends like neither side. The runner is that of the side below.
  const merged = toMergedId(isReplacing ? theirs?.writeId : undefined, ports.id());
  const last = isMerged ? merged : (theirs?.writeId ?? merged);
  const writeId = toLocalId(last, lineage ?? lineageOf(theirs?.writeId) ?? ports.id(), device);
  const [first] = events;
  // A text that has grown there begins before what both sides have in common.
  const isKept = ({ seq }: SessionEvent): boolean => seq <= common && (first === undefined || seq < firstSeq(first));
  const log = [...((isReplacing ? theirs : known)?.events.filter(isKept) ?? []), ...events];
  const summary = from === 0 ? toSummary(foldLog(id, log)) : theirs?.summary;
  if (summary === undefined) return;
  await local.write({
    ...writeOf(id, isReplacing ? log : events, summary, known),
    ...defined({ replaces: isReplacing ? everything : optional(replacedBy(events, common)) }),
    writeId,
  });
  if (here === 'removed' && base !== undefined) env.onTrouble({ type: 'revived', sessionId: id });
  if (theirs && isDone) await note(id, { seq: summary.seq, mine: writeId, theirs: theirs.writeId }, base, env);
}

/** Stores there what this device has written, as one write. */
async function writeThere(
  { common, events }: Content,
  { id, base, here, there, mark }: Sides,
  env: SyncEnv,
): Promise<void> {
  const { remote, device, ports } = env;
  if (typeof here !== 'object') return;
  const known = typeof there === 'object' ? there : mark;
  const isReplacing = known !== undefined && known.summary.seq > common;
  const name = here.writeId ?? toWriteId(ports.id(), ports.id());
  const lineage = isReplacing ? ports.id() : (lineageOf(known?.writeId) ?? lineageOf(name) ?? '');
  const runner = events.every(isConcurrent) && known !== mark ? runnerOf(known?.writeId) : undefined;
  const theirs = toRemoteId(name, lineage, runner ?? device);
  const sent = coalesce(isReplacing ? here.events : events);
  await remote.write({
    ...writeOf(id, sent, here.summary, known),
    ...defined({ replaces: isReplacing ? everything : optional(replacedBy(sent, common)) }),
    writeId: theirs,
  });
  if (there === 'removed' && base !== undefined) env.onTrouble({ type: 'revived', sessionId: id });
  await note(id, { seq: here.summary.seq, mine: here.writeId, theirs }, base, env);
}

/** Stores this device's log as a session of its own. Invariant: it is stored before its events are replaced, and found again after a crash. */
async function keepAsFork(
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
  // Somebody may have gone on with what the earlier try has kept.
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
  await local.write({ ...writeOf(forkId, events, summary, stored), writeId, ...(stored && { replaces: everything }) });
}

function toKeptTitle(title: string, device: string): string {
  return `${title} (kept from ${device})`.trim();
}

function hasEvent({ events }: StoredSession, json: string): boolean {
  return events.some((event) => JSON.stringify(event) === json);
}

/**
 * Removes a session that nobody has changed since, by a write that takes its place: a mark. Invariant: a rival's write comes before the
 * mark, or is refused. The remote store keeps the mark for some time: its `remove` expects nothing, and could remove what a rival has
 * stored again.
 */
async function removeFrom(
  place: Place,
  { id, here, there }: Sides,
  { local, remote, bases, ports, device }: SyncEnv,
): Promise<void> {
  const store = place === 'here' ? local : remote;
  const side = place === 'here' ? here : there;
  if (typeof side !== 'object') return;
  const at = ports.now();
  const seq = side.summary.seq + 1;
  const started: SessionEvent = { type: 'session.started', sessionId: id, seq, at, v: eventVersion };
  const last = toWriteId(ports.id(), toRemovalName(ports.id()));
  await store.write({
    ...writeOf(id, [started], toSummary(foldLog(id, [started])), side),
    replaces: everything,
    writeId: place === 'here' ? last : toRemoteId(last, lineageOf(last) ?? '', device),
  });
  if (place === 'here') await local.remove(id);
  await bases.set(id, undefined);
}

/** Both sides are the same. */
async function settle({ id, base, here, there }: Sides, env: SyncEnv): Promise<Base | undefined> {
  if (typeof here !== 'object' || typeof there !== 'object') {
    if (base !== undefined) await env.bases.set(id, undefined);
    return undefined;
  }
  const tip = { seq: here.summary.seq, mine: here.writeId, theirs: there.writeId };
  const isSame = base?.seq === tip.seq && base.mine === tip.mine && base.theirs === tip.theirs;
  return isSame && base.forking === undefined ? base : note(id, tip, base, env);
}

type Tip = Pick<Base, 'seq'> & { readonly [Key in 'mine' | 'theirs']: string | undefined };

/** Notes that both sides are the same up to here, and that a fork is done which was begun. */
async function note(id: string, tip: Tip, base: Base | undefined, env: SyncEnv): Promise<Base> {
  const keptAs = base?.forking === undefined ? base?.keptAs : await finishFork(id, base.forking, env);
  const noted: Base = {
    seq: tip.seq,
    ...defined({ mine: tip.mine, theirs: tip.theirs, keptAs: keptAs ?? base?.keptAs }),
  };
  await env.bases.set(id, noted);
  if (keptAs !== undefined && keptAs !== base?.keptAs) env.onFork({ sessionId: id, keptAs, device: env.device });
  return noted;
}

/** Returns the id of a fork whose events were replaced. A fork whose events are still here, because the other side was removed, is removed. */
async function finishFork(
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

function writeOf(
  sessionId: string,
  events: readonly SessionEvent[],
  summary: SessionSummary,
  known: StoredSession | undefined,
): SessionWrite {
  const isAtRest = summary.status !== 'running' && summary.status !== 'waiting';
  return {
    sessionId,
    events,
    summary: { ...summary, id: sessionId, seq: events.at(-1)?.seq ?? summary.seq },
    expectedSeq: known?.summary.seq ?? 0,
    ...defined({ expectedWriteId: known?.writeId }),
    durability: 'relaxed',
    ...(isAtRest && { phase: 'settled' as const }),
  };
}

function optional<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length > 0 ? list : undefined;
}
