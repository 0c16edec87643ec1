import type { SessionEvent } from 'brooklet';
import { rebuildRequest } from 'brooklet/context';
import { evolve, initialState, isEnded } from 'brooklet/core';
import { toolParts } from 'brooklet';
import { foldLog } from '../../src/core/model/fold.ts';
import { latestMessages } from '../../src/core/model/latest-messages.ts';
import { problemsOnTheWire } from '../support/wire.ts';
import { changedLater } from './person.ts';
import type { Sent } from './provider.ts';
import { isExclusive, isIdempotent, needsPerson, type Ran } from './tools.ts';

const json = (value: unknown): string => JSON.stringify(value) ?? 'undefined';

/** One run at a time: returns the violations when a tab sends a request while others of the same session are open. */
export function problemsOfRequest(sent: Sent, all: readonly Sent[]): readonly string[] {
  const others = all.filter(
    ({ isOpen, device, request }) =>
      isOpen && device !== sent.device && device.isAlive() && request.sessionId === sent.request.sessionId,
  );
  const wire = sent.messageId === undefined ? [] : problemsOnTheWire(sent.request.messages);
  return [...others.map(({ device }) => `${sent.device.name} asks while ${device.name} asks`), ...wire];
}

/** Returns the violations when a tool begins to act: intent before effect, a decision before the start, once. */
export function problemsOfCall(ran: Ran, all: readonly Ran[], stored: readonly SessionEvent[]): readonly string[] {
  const about = `call ${ran.callId} of ${ran.name}`;
  const begin = stored.findLastIndex(
    (event) => event.type === 'call.started' && event.callId === ran.callId && event.attempt === ran.attempt,
  );
  if (begin < 0) return [`${about} runs before its start is stored`];
  const others = all.filter((one) => one !== ran);
  return [
    ...problemsOfStart(ran, stored.slice(0, begin)),
    ...problemsOfSiblings(ran.callId, stored.slice(0, begin)),
    ...problemsOfRepeats(ran, others),
    ...problemsOfCompany(ran, others),
  ].map((problem) => `${about} ${problem}`);
}

/** A call runs after its approval, before its end, and with the input that was approved. */
function problemsOfStart({ name, callId, attempt, input }: Ran, before: readonly SessionEvent[]): readonly string[] {
  const its = before.filter((event) => 'callId' in event && event.callId === callId);
  const requested = its.findLast((event) => event.type === 'call.requested');
  const decided = its.findLast((event) => event.type === 'approval.decided');
  const approved = decided?.input ?? requested?.input;
  return [
    ...(decided?.verdict === 'approved' ? [] : ['runs without an approval']),
    ...(needsPerson(name) && decided?.decidedBy === 'policy' ? ['runs although no person has agreed'] : []),
    ...(attempt === 1 && its.some(({ type }) => type === 'call.ended') ? ['runs after its end'] : []),
    ...(json(input) === json(approved) ? [] : [`runs with ${json(input)}, and ${json(approved)} was approved`]),
    ...(input.n === changedLater ? ['runs with what was changed after the approval'] : []),
    ...(['number', 'undefined'].includes(typeof input.n) ? [] : ['runs with an input that does not fit']),
  ];
}

/** All calls of a reply are checked before the first one runs. */
function problemsOfSiblings(callId: string, before: readonly SessionEvent[]): readonly string[] {
  const begin = before.findLastIndex((event) => event.type === 'call.requested' && event.callId === callId);
  const from = before.slice(0, begin).findLastIndex(({ type }) => type === 'reply.started');
  const later = before.slice(from);
  const end = later.findIndex(({ type }) => type === 'reply.ended');
  return later.slice(0, end).flatMap((event) => {
    if (event.type !== 'call.requested') return [];
    const isChecked = later.some(
      (other) => 'callId' in other && other.callId === event.callId && /^approval|^call.ended/u.test(other.type),
    );
    return isChecked ? [] : [`runs before call ${event.callId} is checked`];
  });
}

/** A call runs once; that of an idempotent tool once for each attempt, always with the same key. */
function problemsOfRepeats({ name, callId, key, attempt }: Ran, others: readonly Ran[]): readonly string[] {
  const before = others.filter((one) => one.callId === callId);
  return [
    ...(before.some((one) => one.attempt === attempt || !isIdempotent(name)) ? ['runs twice'] : []),
    ...(before.some((one) => one.key !== key) ? ['runs again with another key'] : []),
  ];
}

/** An exclusive call runs alone. */
function problemsOfCompany({ name, device, sessionId }: Ran, others: readonly Ran[]): readonly string[] {
  const beside = others.find(
    (one) => one.isOpen && one.device === device && one.sessionId === sessionId && device.isAlive(),
  );
  return beside && (isExclusive(name) || isExclusive(beside.name)) ? [`runs beside ${beside.name}`] : [];
}

/** Returns the runs with more requests than `maxSteps` allows. */
export function problemsOfLimits(log: readonly SessionEvent[], maxSteps: number): readonly string[] {
  const problems: string[] = [];
  let steps = 0;
  for (const event of log) {
    if (event.type === 'run.started' && event.resumes === undefined) steps = 0;
    if (event.type === 'run.ended' && event.outcome === 'limit') steps = 0;
    // A request that was refused as too long does not count.
    if (event.type === 'reply.refused') steps--;
    if (event.type === 'reply.started' && ++steps > maxSteps)
      problems.push(`reply ${event.messageId} is above the limit`);
  }
  return problems;
}

/** Returns the violations in requests that were sent, given the final log: the log rebuilds the request of every reply. */
export function problemsOfRebuilding(sent: readonly Sent[], log: readonly SessionEvent[]): readonly string[] {
  const kept = new Set(log.flatMap((event) => (event.type === 'reply.started' ? [event.messageId] : [])));
  return sent.flatMap(({ messageId, request }) => {
    if (messageId === undefined || !kept.has(messageId)) return [];
    const [is, was] = [sortedJSON(rebuildRequest(log, messageId)), sortedJSON(request)];
    return is === was ? [] : [`the request of reply ${messageId} was\n${was}\nand is rebuilt as\n${is}`];
  });
}

/** The JSON of a value with the keys of its objects in order. */
function sortedJSON(value: unknown): string {
  return json(
    JSON.parse(
      JSON.stringify(value ?? null, (_key, inner: unknown) =>
        typeof inner === 'object' && inner !== null && !Array.isArray(inner)
          ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
          : inner,
      ),
    ),
  );
}

/** Returns the violations in a session at rest: no run is open, and no call after a run that nobody resumes. */
export function problemsOfRest(log: readonly SessionEvent[], sessionId: string): readonly string[] {
  const state = log.reduce(evolve, initialState(sessionId));
  const isOver = state.run?.outcome === 'completed' || state.run?.outcome === 'cancelled';
  const open = state.messages.flatMap(toolParts).filter(({ status }) => !isEnded(status) && status !== 'uncertain');
  const gaps = log.flatMap(({ since, seq }, index) =>
    (since ?? seq) === (log[index - 1]?.seq ?? 0) + 1 ? [] : [`the log has a gap before ${seq}`],
  );
  return [
    ...(state.run && state.run.outcome === undefined ? ['a run has no end'] : []),
    ...(isOver ? open.map(({ callId, status }) => `call ${callId} stays ${status}`) : []),
    ...gaps,
  ];
}

/** Returns the runs that ended as completed although the newest message is not an answer. */
export function problemsOfAnswers(log: readonly SessionEvent[], sessionId: string): readonly string[] {
  const problems: string[] = [];
  let state = initialState(sessionId);
  for (const event of log) {
    const isEnd = event.type === 'run.ended' && event.outcome === 'completed' && event.runId === state.run?.id;
    if (isEnd && state.run?.outcome === undefined && state.messages.at(-1)?.role === 'user')
      problems.push(`run ${event.runId} is completed, and its question has no answer`);
    state = evolve(state, event);
  }
  return problems;
}

/** The end of a log shows the end of its conversation, wherever it begins. */
export function problemsOfEnds(log: readonly SessionEvent[], id: string): readonly string[] {
  const { messages } = foldLog(id, log);
  return [...log.keys()].flatMap((place) => {
    const shown = latestMessages(id, log.slice(place));
    const end = messages.slice(messages.length - shown.length);
    return json(shown) === json(end) ? [] : [`the end of the log from ${place} on shows other messages than the log`];
  });
}
