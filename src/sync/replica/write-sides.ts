import { defined } from '../../core/json.ts';
import { coalesce, firstSeq } from '../../core/model/coalesce.ts';
import type { SessionEvent } from '../../core/model/event.ts';
import { foldLog } from '../../core/model/fold.ts';
import { isConcurrent } from '../../core/model/rebase.ts';
import type { SessionWrite, StoredSession } from '../../core/model/store.ts';
import { toSummary } from '../../core/model/summary.ts';
import { lineageOf } from '../../core/model/write-id.ts';
import { deviceOf, doubtsNow, doubtsOf, toBase } from './base.ts';
import type { LogState } from './classify.ts';
import { nameOf, type RowFacts, stamp } from './origin.ts';
import type { Content, Step } from './plan.ts';
import { replacedBy } from './replaced-by.ts';
import type { Sides, SyncEnv } from './sides.ts';
import { everything, toWrite } from './to-write.ts';

type Here = Content & { readonly isMerged?: boolean; readonly isRevival?: boolean };

/** The end of the log that a write makes here: the name of the write, and what its row states of it. */
type Ending = readonly [name: string, facts: RowFacts];

/** Stores what another device has written, and notes both sides as the same where they are. */
export async function writeHere(plan: Here, sides: Sides, env: SyncEnv): Promise<void> {
  const { id, base, there, vetted } = sides;
  const write = toWriteHere(plan, sides, env);
  await env.noting(id, async () => {
    await env.local.write(write);
    if (plan.isRevival) env.onTrouble({ type: 'revived', sessionId: id });
    // Invariant: a removal takes back only what its person has seen. What arrives meanwhile is not noted: it is more than both sides had.
    if (there.is !== 'log' || plan.isMerged || env.isBeingRemoved(id)) return;
    const tip = { seq: write.summary.seq, mine: write.writeId, theirs: there.stored.writeId, device: there.device };
    await env.bases.set(id, toBase(tip, base, doubtsNow(base, vetted)));
  });
}

/** Returns the write that stores here what another device has written. */
export function toWriteHere(plan: Here, sides: Sides, env: SyncEnv): SessionWrite {
  const { here } = sides;
  const known = here.is === 'log' || here.is === 'row' ? here.stored : undefined;
  const isReplacing = known !== undefined && known.summary.seq > plan.common;
  return isReplacing ? replacing(plan, known, sides, env) : extending(plan, known, sides, env);
}

/** Returns the write of a log that begins as the log here does. */
function extending(plan: Here, known: StoredSession | undefined, sides: Sides, env: SyncEnv): SessionWrite {
  const { id, there } = sides;
  const { common, events } = plan;
  const theirs = there.is === 'log' ? there.stored : undefined;
  const lineage = lineageOf(known?.writeId) ?? lineageOf(theirs?.writeId) ?? env.ports.id();
  const log = [...keptOf(known, plan), ...events];
  const stamped = stamp(lineage, ...endingOf(plan, undefined, sides, env));
  return { ...toWrite(id, events, summaryOf(log, sides), known, stamped), ...replacement(events, common) };
}

/** Returns the write of a log whose past differs from that of the log here. Invariant: another lineage begins, so that every tab reads it. */
function replacing(plan: Here, known: StoredSession, sides: Sides, env: SyncEnv): SessionWrite {
  const { id, there } = sides;
  const theirs = there.is === 'log' ? there : undefined;
  const lineage = env.ports.id();
  const log = [...keptOf(theirs?.stored, plan), ...plan.events];
  const stamped = stamp(lineage, ...endingOf(plan, theirs?.device, sides, env));
  return { ...toWrite(id, log, summaryOf(log, sides), known, stamped), replaces: everything };
}

/**
 * Returns how the log here ends after a write. A log that ends like neither side has a name of its own.
 *
 * @param below the device that runs the log below what is merged
 */
function endingOf(plan: Here, below: string | undefined, { base, there }: Sides, { device, ports }: SyncEnv): Ending {
  // Where decisions were left out, the device is that of the last decision that counted, and may be this one.
  if (there.is === 'log' && there.isCurbed) return [ports.id(), defined({ device: deviceOf(base) })];
  const others = (one: string | undefined): RowFacts => defined({ device: one === device ? undefined : one });
  if (plan.isMerged || there.is !== 'log') return [ports.id(), others(below)];
  const { writeId } = there.stored;
  // A write of this device gets its own id again, so that its writer recognizes the write.
  return [writeId === undefined ? ports.id() : nameOf(writeId), others(there.device)];
}

/** Returns the events of a log that stay below what is written. A text that has grown begins before what both sides have in common. */
function keptOf(log: StoredSession | undefined, { common, events: [first] }: Content): readonly SessionEvent[] {
  return log?.events.filter(({ seq }) => seq <= common && (first === undefined || seq < firstSeq(first))) ?? [];
}

/** Returns the row of a log: that of the remote store where the log was not read whole. */
function summaryOf(log: readonly SessionEvent[], { id, from, there }: Sides): StoredSession['summary'] {
  return from > 0 && there.is === 'log' ? there.stored.summary : toSummary(foldLog(id, log));
}

function replacement(events: readonly SessionEvent[], common: number): Pick<SessionWrite, 'replaces'> {
  const ranges = replacedBy(events, common);
  return ranges.length > 0 ? { replaces: ranges } : {};
}

/** Stores there what this device has written, as one write, and notes both sides as the same. */
export async function writeThere(
  plan: Extract<Step, { do: 'write-there' }>,
  sides: Sides,
  env: SyncEnv,
): Promise<void> {
  const { id, base, here, there, vetted } = sides;
  if (here.is !== 'log') return;
  const known = there.is === 'log' || there.is === 'mark' ? there.stored : undefined;
  const isReplacing = known !== undefined && known.summary.seq > plan.common;
  const events = coalesce(isReplacing ? here.stored.events : plan.events);
  const device = runnerOf(plan.events, here, sides, env);
  const { summary, writeId: mine } = here.stored;
  const lineage = isReplacing ? undefined : (lineageOf(known?.writeId) ?? lineageOf(mine));
  const name = mine === undefined ? env.ports.id() : nameOf(mine);
  const stamped = stamp(lineage ?? env.ports.id(), name, { device });
  const replaces = isReplacing ? { replaces: everything } : replacement(events, plan.common);
  await env.remote.write({ ...toWrite(id, events, summary, known, stamped), ...replaces });
  if (plan.isRevival) env.onTrouble({ type: 'revived', sessionId: id });
  const tip = { seq: summary.seq, mine, theirs: stamped.writeId, device };
  await env.bases.set(id, toBase(tip, base, doubtsOf(doubtsNow(base, vetted), events)));
}

/** Returns the device that runs the session after a write: a write beside the run leaves it to the one before. */
function runnerOf(events: readonly SessionEvent[], here: LogState, { there }: Sides, { device }: SyncEnv): string {
  const before = there.is === 'log' && events.every(isConcurrent) ? there.device : undefined;
  return here.device ?? before ?? device;
}
