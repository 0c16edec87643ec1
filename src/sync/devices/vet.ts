import { findCall } from '../../core/model/find-call.ts';
import { isEnded } from '../../core/model/call-status.ts';
import type { SessionEvent } from '../../core/model/event.ts';
import { toolParts, type Proof, type Proposal, type ToolPart } from '../../core/model/message.ts';
import { foldLog } from '../../core/model/fold.ts';
import { allMessages, type SessionState } from '../../core/model/state.ts';
import { toSummary } from '../../core/model/summary.ts';
import { withoutPosition } from '../../core/model/without-position.ts';
import {
  type Decision,
  type HeldDecision,
  type HeldReason,
  isDecision,
  type Vetted,
  type Vetting,
} from '../decision-guard.ts';
import { canonical } from './canonical.ts';
import { statementOf } from './statement.ts';

/** The result of the check of a signature. With `why` the signature does not count. */
interface Checked {
  readonly why?: HeldReason;
  /** Name of the device, if it is or was known. */
  readonly device?: string;
}

export type Check = (statement: string, proof: Proof) => Promise<Checked>;

/**
 * Checks the decisions in a remote log.
 *
 * Invariant: no call can run, and no approval rule holds, by a decision that this device has not made and no known device has signed. Such a
 * decision becomes `event.dropped`, so its call is open as before; where the call has nevertheless ended in the log, the decision
 * stays as a record, without the rule that it would make.
 *
 * What this device has already is not checked again: it was checked on arrival, and decisions of a device that is removed later still count.
 */
export async function vet(vetting: Vetting, check: Check): Promise<Vetted> {
  const { sessionId, theirs, mine, from } = vetting;
  const context = mine.filter(({ seq }) => seq <= from);
  const log = [...context, ...theirs];
  const { reasons, kept } = await judge(log, context.length, vetting, check);
  // What continues a log removes nothing from it.
  if (reasons.size === 0 && from > 0) return { events: theirs, held: [], isOpen: false, spent: vetting.spent };

  const { lost, isOver } = takenBack(log, vetting);
  const isPast = (event: SessionEvent): boolean =>
    kept.has(event) || isRecord(event, log.slice(log.indexOf(event) + 1), reasons);
  const records = new Set(log.filter((event) => reasons.has(event) && isPast(event)));
  // Each decision that is left out changes which calls can run, and so which decisions count: repeated until nothing changes.
  for (;;) {
    const events = log.map((event) => {
      if (!reasons.has(event)) return event;
      return records.has(event) ? withoutRule(event) : dropped(event);
    });
    const state = foldLog(sessionId, events);
    const runnable = callsOf(state).filter(({ status }) => !isEnded(status) || status === 'uncertain');
    const isOf = (event: SessionEvent, calls: readonly ToolPart[]): boolean =>
      isDecision(event) && calls.some(({ callId }) => callId === event.callId);
    const wrong = [...records].filter((event) => isOf(event, runnable));
    for (const { callId } of runnable) if (isOver(callId)) lost.add(callId);
    const replayed = theirs.filter(
      (event) => !reasons.has(event) && isDecision(event) && !isHarmless(event) && lost.has(event.callId),
    );
    for (const event of wrong) records.delete(event);
    for (const event of replayed) reasons.set(event, { why: 'replayed' });
    for (const event of replayed.filter(isPast)) records.add(event);
    if (wrong.length > 0 || replayed.length > 0) continue;
    const open = log.filter((event) => reasons.has(event) && !records.has(event) && isOf(event, runnable));
    return {
      events: events.slice(context.length),
      held: heldIn(state, open, reasons),
      isOpen: open.length > 0,
      spent: [...new Set([...vetting.spent, ...lost])],
      ...(reasons.size > 0 && { summary: toSummary(state) }),
    };
  }
}

/** The decisions of a remote log that do not count. */
interface Judged {
  readonly reasons: Map<SessionEvent, Checked>;
  /** Those that this device has already, without the rule that they would make. */
  readonly kept: ReadonlySet<SessionEvent>;
}

/** Checks the signature of each decision that is new to this device. @param start index of the first event of the other side */
async function judge(
  log: readonly SessionEvent[],
  start: number,
  { sessionId, theirs, mine, from, spent }: Vetting,
  check: Check,
): Promise<Judged> {
  const reasons = new Map<SessionEvent, Checked>();
  const kept = new Set<SessionEvent>();
  const known = countsOf(mine.filter(({ seq }) => seq > from));
  const mineBySeq = new Map(mine.filter(isDecision).map((event) => [event.seq, event]));
  /** The calls on which the other side has decided, with their events so far. */
  const calls = new Map<string, SessionEvent[]>(theirs.filter(isDecision).map(({ callId }) => [callId, []]));

  for (const [index, event] of log.entries()) {
    const its = 'callId' in event ? calls.get(event.callId) : undefined;
    if (its === undefined) continue;
    its.push(event);
    if (!isDecision(event)) continue;
    if (index < start || isHarmless(event) || takeOne(known, event)) continue;
    // Invariant: a log that was checked is the same when it is checked again.
    const own = mineBySeq.get(event.seq);
    if (own && keyOf(own) === keyOf(withoutRule(event))) {
      kept.add(event);
      reasons.set(event, { why: 'replayed' });
    } else if (spent.includes(event.callId)) reasons.set(event, { why: 'replayed' });
    else {
      const checked = await checkOne(event, statementOf(sessionId, event, its), check);
      if (checked.why !== undefined || isOverruled(event, log.slice(index + 1), mine)) reasons.set(event, checked);
    }
  }
  return { reasons, kept };
}

/** Returns the calls that were over, or had begun, when both logs were the same, and are not so in this log: they stay ended. */
function takenBack(
  log: readonly SessionEvent[],
  { sessionId, mine, agreed }: Vetting,
): { readonly lost: Set<string>; readonly isOver: (callId: string) => boolean } {
  const past = mine.filter(({ seq }) => seq <= agreed);
  const before = foldLog(sessionId, past);
  const begun = startsIn(log);
  const requested = new Set(log.flatMap((event) => (event.type === 'call.requested' ? [event.callId] : [])));
  const lost = new Set<string>();
  for (const [key, { callId, count }] of startsIn(past)) if (count > (begun.get(key)?.count ?? 0)) lost.add(callId);
  const isOver = (callId: string): boolean => {
    const status = findCall(before, callId)?.call.status;
    return status !== undefined && status !== 'uncertain' && isEnded(status);
  };
  for (const { callId } of callsOf(before)) if (isOver(callId) && !requested.has(callId)) lost.add(callId);
  return { lost, isOver };
}

/** Returns how often each start is in a log, by its content: another start of the same call does not take its place. */
function startsIn(
  events: readonly SessionEvent[],
): ReadonlyMap<string, { readonly callId: string; readonly count: number }> {
  const starts = new Map<string, { readonly callId: string; readonly count: number }>();
  for (const event of events) {
    if (event.type !== 'call.started') continue;
    const key = keyOf(event);
    starts.set(key, { callId: event.callId, count: (starts.get(key)?.count ?? 0) + 1 });
  }
  return starts;
}

async function checkOne(event: Decision, statement: string | undefined, check: Check): Promise<Checked> {
  const { proof } = event;
  if (proof === undefined) return { why: 'unsigned' };
  return statement === undefined ? { why: 'invalid' } : check(statement, proof);
}

/** Whether nothing can run by the decision: the end of the time to decide, which any page records. */
function isHarmless(event: Decision): boolean {
  return event.type === 'approval.decided' && event.verdict === 'expired';
}

/** Whether the next decision on the same question is one that this device knows: then the one before has not counted. */
function isOverruled({ callId }: Decision, after: readonly SessionEvent[], mine: readonly SessionEvent[]): boolean {
  const next = after.find((one) => 'callId' in one && one.callId === callId && isAnswerTo(one));
  return next?.type === 'approval.decided' && mine.some((one) => keyOf(one) === keyOf(next));
}

/** Whether an event decides on a call, or asks for another decision. */
function isAnswerTo({ type }: SessionEvent): boolean {
  return type === 'approval.decided' || type === 'approval.requested';
}

/** Whether a decision that does not count has been carried out elsewhere: the call has ended, and is part of the past. */
function isRecord(
  event: SessionEvent,
  after: readonly SessionEvent[],
  reasons: ReadonlyMap<SessionEvent, Checked>,
): boolean {
  if (event.type !== 'approval.decided' || reasons.get(event)?.why === undefined) return false;
  const { callId } = event;
  const its = after.filter((one) => 'callId' in one && one.callId === callId);
  const next = its.find(isAnswerTo);
  if (next?.type === 'approval.decided' && !reasons.has(next)) return false;
  return event.verdict === 'approved'
    ? its.some(({ type }) => type === 'call.ended')
    : after.some(({ type }) => type === 'reply.started');
}

function withoutRule(event: SessionEvent): SessionEvent {
  if (event.type !== 'approval.decided') return event;
  const { remember: _remember, ...rest } = event;
  return rest;
}

function dropped({ type, seq, at, v }: SessionEvent): SessionEvent {
  return { type: 'event.dropped', of: type, seq, at, v };
}

function callsOf(state: SessionState): readonly ToolPart[] {
  return [...allMessages(state), ...state.replaced].flatMap(toolParts);
}

/** Returns what was dropped on calls that await a decision: the last decision on each call. */
function heldIn(
  state: SessionState,
  open: readonly SessionEvent[],
  reasons: ReadonlyMap<SessionEvent, Checked>,
): readonly HeldDecision[] {
  const held = new Map<string, HeldDecision>();
  for (const event of open) {
    const { why, device } = reasons.get(event) ?? {};
    if (why === undefined || !isDecision(event)) continue;
    const { callId } = event;
    if (findCall(state, callId)?.call.status !== 'awaiting-approval') continue;
    held.set(callId, { callId, why, ...(device !== undefined && { device }), decision: toProposal(event) });
  }
  return [...held.values()];
}

function toProposal(event: Decision): Proposal {
  if (event.type === 'approval.proposed') return event.proposal;
  const { verdict, input, reason, answer, userName } = event;
  return {
    verdict: verdict === 'approved' ? 'approved' : 'rejected',
    ...(input !== undefined && { input }),
    ...(reason !== undefined && { reason }),
    ...(answer !== undefined && { answer }),
    ...(userName !== undefined && { userName }),
  };
}

function keyOf(event: SessionEvent): string {
  return canonical(withoutPosition(event));
}

function countsOf(events: readonly SessionEvent[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const event of events.filter(isDecision)) counts.set(keyOf(event), (counts.get(keyOf(event)) ?? 0) + 1);
  return counts;
}

/** Takes one of equal events out of the count. Returns whether there was one. */
function takeOne(counts: Map<string, number>, event: SessionEvent): boolean {
  const key = keyOf(event);
  const count = counts.get(key) ?? 0;
  if (count > 0) counts.set(key, count - 1);
  return count > 0;
}
