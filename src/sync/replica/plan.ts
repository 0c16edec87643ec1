import type { SessionEvent } from '../../core/model/event.ts';
import { isConcurrent } from '../../core/model/rebase.ts';
import type { StoredSession } from '../../core/model/store.ts';
import { lineageOf } from '../../core/model/write-id.ts';
import { type Base, doubtsNow, doubtsOf, isTip, toBase } from './base.ts';
import type { LogState, Place } from './classify.ts';
import { beginsBefore, commonSeq, missingIn, renumbered } from './compare.ts';
import { sealRevived } from './fork-log.ts';
import { mustReadWhole, type Sides } from './sides.ts';

/** What a write stores: events above what both sides have in common. What its side has above `common` is replaced. */
export interface Content {
  readonly common: number;
  readonly events: readonly SessionEvent[];
}

/** Brings the two sides of one session closer together. */
export type Step =
  /**
   * Store these events in the log of this device. `isMerged`: the result is neither side's log, and the next step stores it on the remote
   * store. `isRevival`: a person removed the session here.
   */
  | (Content & { readonly do: 'write-here'; readonly isMerged?: boolean; readonly isRevival?: boolean })
  /** Store these events on the remote store. `isRevival`: a person removed the session there. */
  | (Content & { readonly do: 'write-there'; readonly isRevival?: boolean })
  /**
   * Keep this device's log as a session of its own, then do the same as `write-here`. `first`: the first event that the other side lacks.
   * `begun`: an earlier try, whose fork no page has written to. `keptAs`: the fork before, which is done.
   */
  | (Content & {
      readonly do: 'fork';
      readonly first: SessionEvent;
      readonly begun?: { readonly id: string; readonly stored: StoredSession | undefined } | undefined;
      readonly keptAs?: string | undefined;
    })
  /** Remove the session on one side: it was removed on the other one, and nothing happened since. */
  | { readonly do: 'remove'; readonly from: Place }
  /** Complete a removal here that was cut off after its mark. */
  | { readonly do: 'finish-removal' }
  /** Remove the row of a session whose log is not there any more. */
  | { readonly do: 'drop-row' }
  /** Remove the mark of a removed session from the remote store: no request from before it is under way any more. */
  | { readonly do: 'forget-mark' }
  /** Note calls whose decisions do not count any more, before a log is stored that takes their beginning back. */
  | { readonly do: 'note-spent'; readonly base: Base }
  /** Read the logs whole: what follows `from` does not show enough. */
  | { readonly do: 'read-whole' };

/** After it nothing is left to do. */
export type End =
  | { readonly do: 'rest' }
  /** Note that both sides are the same. `keptAs`: a fork that is done now. `unneeded`: a fork whose events are still here. */
  | { readonly do: 'note'; readonly base: Base; readonly keptAs?: string; readonly unneeded?: string }
  /** Neither side has the session: forget what was noted of it. */
  | { readonly do: 'forget-base' }
  /** A person has to know that the session cannot be synchronized. `detail`: the damage, or why the removal does not count. */
  | { readonly do: 'refuse'; readonly why: 'damaged' | 'unsigned-removal'; readonly detail: string };

export type Plan = Step | End;

/** ms after which the mark of a removed session is removed: longer than any request is under way. */
const markLasts = 600_000;

/**
 * Returns the next thing to do for one session. Pure.
 *
 * Invariant: nothing that was stored on either side is dropped. A run is never repeated, and a decision is never stored above events that
 * its person has not seen. Each plan may be cut off anywhere: what is planned then follows from what the two sides have.
 */
export function planOf(sides: Sides): Plan {
  const { here, there, base, vetted } = sides;
  if (here.is === 'mark') return { do: 'finish-removal' };
  if (here.is === 'row' && there.is !== 'log') return { do: 'drop-row' };
  if (here.is === 'log' && here.stored.damage !== undefined)
    return { do: 'refuse', why: 'damaged', detail: here.stored.damage };
  if (mustReadWhole(sides)) return { do: 'read-whole' };
  // Invariant: what has begun is known as such before its beginning is taken back here, also where the page ends in between.
  if (base && vetted && vetted.spent.length > (base.spent?.length ?? 0))
    return { do: 'note-spent', base: { ...base, spent: vetted.spent } };
  if (here.is === 'log') return there.is === 'log' ? planLogs(here, there, sides) : planWithoutRemote(here, sides);
  if (there.is === 'log') return planWithoutLocal(there, sides);
  if (there.is === 'mark' && there.stored.summary.updatedAt <= sides.now - markLasts) return { do: 'forget-mark' };
  return base === undefined ? { do: 'rest' } : { do: 'forget-base' };
}

/** Both sides have a log. */
function planLogs(here: LogState, there: LogState, sides: Sides): Plan {
  const { base, from } = sides;
  const [mineAll, theirsAll] = [here.stored.events, there.stored.events];
  if (from > 0 && !(isContinuation(here, base?.seq, base?.mine) && isContinuation(there, base?.seq, base?.theirs)))
    return { do: 'read-whole' };
  const isPartial = beginsBefore(mineAll, from) || beginsBefore(theirsAll, from);
  if (from > 0 && isPartial && mineAll.length > 0 && theirsAll.length > 0) return { do: 'read-whole' };

  const common = commonSeq(mineAll, theirsAll, from);
  const mine = mineAll.filter(({ seq }) => seq > common);
  const theirs = theirsAll.filter(({ seq }) => seq > common);
  if (mine.length === 0)
    return theirs.length === 0 ? planSame(here, there, sides) : { do: 'write-here', common, events: theirs };
  if (theirs.length === 0) return { do: 'write-there', common, events: mine };
  // Both logs end in different events: one whole log replaces the other, or the whole logs are merged.
  if (from > 0) return { do: 'read-whole' };
  if (isTip(here.stored, base, 'mine')) return { do: 'write-here', common, events: theirs };
  if (isTip(there.stored, base, 'theirs')) return { do: 'write-there', common, events: mine };
  const isClosed = mine.every((event) => isConcurrent(event) || isClosing(event));
  // Another device may have found this one gone, and interrupted the run that continues here.
  if (theirs.every((event) => isConcurrent(event) || (!isClosed && isInterruption(event)))) {
    // Mine stays below: a run of this device continues without a change of its numbers.
    const missing = missingIn(theirs.filter(isConcurrent), mine);
    const { seq } = here.stored.summary;
    return missing.length === 0
      ? { do: 'write-there', common, events: mine }
      : { do: 'write-here', common: seq, events: renumbered(missing, seq), isMerged: true };
  }
  const beside = mine.filter(isConcurrent);
  const rebased = renumbered(missingIn(beside, theirs), there.stored.summary.seq);
  const events = [...theirs, ...rebased];
  const [first] = missingIn(mine, theirs);
  return first === undefined || isClosed
    ? { do: 'write-here', common, events, isMerged: rebased.length > 0 }
    : { do: 'fork', common, events: theirs, first, ...planFork(sides) };
}

/** Invariant: a fork that is done, and one that a page has written to, stays as it is, and the next one is another session. */
function planFork({ fork }: Sides): Pick<Extract<Step, { do: 'fork' }>, 'begun' | 'keptAs'> {
  if (fork === undefined) return {};
  const { id, state, isNeeded } = fork;
  // Events that are not here any more are kept already; those that are here belong to a try that was cut off.
  if (!isNeeded) return state.is === 'missing' ? {} : { keptAs: id };
  if (state.is === 'missing') return { begun: { id, stored: undefined } };
  return state.is === 'log' && state.isUntouchedFork ? { begun: { id, stored: state.stored } } : {};
}

/** Both logs have the same events. */
function planSame(here: LogState, there: LogState, { base, vetted, fork }: Sides): Plan {
  const doubts = doubtsNow(base, vetted);
  const theirs = there.stored.writeId;
  const isNoted = isTip(here.stored, base, 'mine') && base?.theirs === theirs;
  const isAsHeld = JSON.stringify(doubts) === JSON.stringify(doubtsOf(base));
  if (isNoted && isAsHeld && fork === undefined) return { do: 'rest' };
  const { writeId: mine, summary } = here.stored;
  const tip = { seq: summary.seq, mine, theirs, device: there.device };
  const { forking: _forking, ...rest } = toBase(tip, base, doubts);
  if (fork === undefined || fork.state.is === 'missing') return { do: 'note', base: rest };
  const { id, state, isNeeded } = fork;
  if (!isNeeded) return { do: 'note', base: { ...rest, keptAs: id }, ...(base?.keptAs !== id && { keptAs: id }) };
  const isUnneeded = state.is === 'log' && state.isUntouchedFork;
  return { do: 'note', base: rest, ...(isUnneeded && { unneeded: id }) };
}

/** This device alone has a log. What a device has written since is stored again; what no device has touched is removed here, too. */
function planWithoutRemote(here: LogState, { id, there, base, from, removalDoubt }: Sides): Plan {
  const wasRemoved = there.is !== 'missing';
  if (wasRemoved && isTip(here.stored, base, 'mine'))
    return removalDoubt === undefined
      ? { do: 'remove', from: 'here' }
      : { do: 'refuse', why: 'unsigned-removal', detail: removalDoubt };
  if (from > 0) return { do: 'read-whole' };
  const { events, summary } = here.stored;
  const isRevival = wasRemoved && base !== undefined;
  const seals = isRevival ? sealRevived(id, events, base.seq) : [];
  return seals.length > 0
    ? { do: 'write-here', common: summary.seq, events: seals, isMerged: true }
    : { do: 'write-there', common: 0, events, isRevival };
}

/** The remote store alone has a log. */
function planWithoutLocal(there: LogState, { id, here, base, from }: Sides): Plan {
  const wasRemoved = here.is === 'removed';
  if (wasRemoved && isTip(there.stored, base, 'theirs')) return { do: 'remove', from: 'there' };
  if (from > 0) return { do: 'read-whole' };
  const { events } = there.stored;
  const isRevival = wasRemoved && base !== undefined;
  const seals = isRevival ? sealRevived(id, events, base.seq) : [];
  return { do: 'write-here', common: 0, events: [...events, ...seals], isMerged: seals.length > 0, isRevival };
}

/** Whether a log begins with what it had when both sides were the same. */
function isContinuation({ stored: { summary, writeId } }: LogState, seq = 0, last: string | undefined): boolean {
  return summary.seq >= seq && lineageOf(writeId) === lineageOf(last);
}

/** Whether the event ends a run whose device was found gone: no person has decided it. */
function isInterruption(event: SessionEvent): boolean {
  return event.type === 'run.ended' && event.outcome === 'interrupted';
}

/** Whether the event only closes what another device continues: a device that finds a run without an owner writes it. */
function isClosing(event: SessionEvent): boolean {
  return event.type === 'run.ended' || (event.type === 'approval.decided' && event.decidedBy === 'timeout');
}
