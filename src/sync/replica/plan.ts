import type { SessionEvent } from '../../core/model/event.ts';
import { isConcurrent } from '../../core/model/rebase.ts';
import type { StoredSession } from '../../core/model/store.ts';
import { lineageOf } from '../../core/model/write-id.ts';
import type { Base } from './base.ts';
import { sealRevived } from './fork-log.ts';
import { beginsBefore, commonSeq, missingIn, renumbered } from './compare.ts';

/** A session on one side: what was read, `removed` by a person, or missing for any other reason. */
export type Side = StoredSession | 'removed' | undefined;

export type Place = 'here' | 'there';

/** What brings the two sides of one session closer together. */
export type Plan =
  | { readonly do: 'rest' }
  /**
   * Store these events on one side, above what both sides have in common. What this side has above `common` is replaced. `isMerged`: the
   * result is neither side's log, and the next step stores it on the other side.
   */
  | {
      readonly do: 'write';
      readonly to: Place;
      readonly common: number;
      readonly events: readonly SessionEvent[];
      readonly isMerged?: boolean;
    }
  /** Keep this side's log as a session of its own, then do the same as `write` here. `first`: the first event that the other side lacks. */
  | {
      readonly do: 'fork';
      readonly common: number;
      readonly events: readonly SessionEvent[];
      readonly first: SessionEvent;
    }
  /** Remove the session on one side: it was removed on the other one, and nothing happened since. */
  | { readonly do: 'remove'; readonly from: Place }
  /** The logs have to be read whole: the events above `from` do not suffice. */
  | { readonly do: 'read-whole' };

/**
 * Returns the next thing to do for one session. Pure.
 *
 * Invariant: nothing that was stored on either side is dropped. A run is never repeated, and a decision is never stored above events that
 * its person has not seen. Each plan may be cut off anywhere: what is planned then follows from what the two sides have.
 *
 * @param base up to where both sides were the same when they were last compared
 * @param from the sides were read above this `seq`; 0 when they were read whole
 */
export function planOf(here: Side, there: Side, base: Base | undefined, from: number): Plan {
  if (typeof here !== 'object' || typeof there !== 'object') return planRemoval(here, there, base, from);
  if (from > 0 && !(isContinuation(here, base?.seq, base?.mine) && isContinuation(there, base?.seq, base?.theirs)))
    return { do: 'read-whole' };
  const isPartial = beginsBefore(here.events, from) || beginsBefore(there.events, from);
  if (from > 0 && isPartial && here.events.length > 0 && there.events.length > 0) return { do: 'read-whole' };

  const common = commonSeq(here.events, there.events, from);
  const mine = here.events.filter(({ seq }) => seq > common);
  const theirs = there.events.filter(({ seq }) => seq > common);
  if (mine.length === 0)
    return theirs.length === 0 ? { do: 'rest' } : { do: 'write', to: 'here', common, events: theirs };
  if (theirs.length === 0) return { do: 'write', to: 'there', common, events: mine };
  // Both logs end in different events: one whole log replaces the other, or the whole logs are merged.
  if (from > 0) return { do: 'read-whole' };
  if (isTip(here, base?.seq, base?.mine)) return { do: 'write', to: 'here', common, events: theirs };
  if (isTip(there, base?.seq, base?.theirs)) return { do: 'write', to: 'there', common, events: mine };
  const isClosed = mine.every((event) => isConcurrent(event) || isClosing(event));
  // Another device may have treated this one as gone, and interrupted the run that continues here.
  if (theirs.every((event) => isConcurrent(event) || (!isClosed && isInterruption(event)))) {
    // The events of this device stay below, so that its run continues with the same numbers.
    const missing = missingIn(theirs.filter(isConcurrent), mine);
    const { seq } = here.summary;
    return missing.length === 0
      ? { do: 'write', to: 'there', common, events: mine }
      : { do: 'write', to: 'here', common: seq, events: renumbered(missing, seq), isMerged: true };
  }
  const beside = mine.filter(isConcurrent);
  const rebased = renumbered(missingIn(beside, theirs), there.summary.seq);
  const events = [...theirs, ...rebased];
  const [first] = missingIn(mine, theirs);
  return first === undefined || isClosed
    ? { do: 'write', to: 'here', common, events, isMerged: rebased.length > 0 }
    : { do: 'fork', common, events: theirs, first };
}

/** One side has no session. A session that was continued is stored again; an unchanged one is removed on the other side, too. */
function planRemoval(here: Side, there: Side, base: Base | undefined, from: number): Plan {
  if (typeof here === 'object') {
    const isUntouched = base !== undefined && isTip(here, base.seq, base.mine);
    if (there === 'removed' && isUntouched) return { do: 'remove', from: 'here' };
    if (from > 0) return { do: 'read-whole' };
    const seals = there === 'removed' && base ? sealRevived(here.summary.id, here.events, base.seq) : [];
    return seals.length > 0
      ? { do: 'write', to: 'here', common: here.summary.seq, events: seals, isMerged: true }
      : { do: 'write', to: 'there', common: 0, events: here.events };
  }
  if (typeof there !== 'object') return { do: 'rest' };
  const isUntouched = base !== undefined && isTip(there, base.seq, base.theirs);
  if (here === 'removed' && isUntouched) return { do: 'remove', from: 'there' };
  if (from > 0) return { do: 'read-whole' };
  const seals = here === 'removed' && base ? sealRevived(there.summary.id, there.events, base.seq) : [];
  return { do: 'write', to: 'here', common: 0, events: [...there.events, ...seals], isMerged: seals.length > 0 };
}

/** Whether a log ends where both sides were the same. */
function isTip({ summary, writeId }: StoredSession, seq: number | undefined, last: string | undefined): boolean {
  return summary.seq === seq && writeId === last;
}

/** Whether a log begins with what it had when both sides were the same. */
function isContinuation({ summary, writeId }: StoredSession, seq = 0, last: string | undefined): boolean {
  return summary.seq >= seq && lineageOf(writeId) === lineageOf(last);
}

/** Whether the event ends a run whose device was treated as gone, without the decision of a person. */
function isInterruption(event: SessionEvent): boolean {
  return event.type === 'run.ended' && event.outcome === 'interrupted';
}

/** Whether the event only closes what another device continues: a device that finds a run without an owner writes it. */
function isClosing(event: SessionEvent): boolean {
  return event.type === 'run.ended' || (event.type === 'approval.decided' && event.decidedBy === 'timeout');
}
