import { extractTextContent, type SessionEvent, toolParts } from 'brooklet';
import { evolve, initialState, isEnded } from 'brooklet/core';
import { isIdempotent, needsPerson, type Ran } from '../../simulation/tools.ts';
import type { Said } from './world.ts';

/** One side at the end: the logs by the id of the session. */
export type Logs = ReadonlyMap<string, readonly SessionEvent[]>;

/** Returns the violations when a tool begins to act: the engine has its start and its approval, and no other device runs it. */
export function problemsOfCall(ran: Ran, all: readonly Ran[], stored: readonly SessionEvent[]): readonly string[] {
  const { name, callId, attempt, key } = ran;
  const its = stored.filter((event) => 'callId' in event && event.callId === callId);
  const decided = its.findLast((event) => event.type === 'approval.decided');
  const before = all.filter((one) => one !== ran && one.callId === callId);
  return [
    ...(its.some((event) => event.type === 'call.started' && event.attempt === attempt)
      ? []
      : ['runs before the engine knows of its start']),
    ...(decided?.verdict === 'approved' ? [] : ['runs without an approval on the engine']),
    ...(needsPerson(name) && decided?.decidedBy === 'policy' ? ['runs although no person has agreed'] : []),
    ...(before.some((one) => one.attempt === attempt || !isIdempotent(name)) ? ['runs twice'] : []),
    ...(before.some((one) => one.key !== key) ? ['runs again with another key'] : []),
  ].map((problem) => `${ran.device.name}: call ${callId} of ${name} ${problem}`);
}

/** Returns what differs between a device and the engine. */
export function problemsOfSides(name: string, device: Logs, engine: Logs): readonly string[] {
  const problems: string[] = [];
  for (const id of new Set([...device.keys(), ...engine.keys()])) {
    const [here, there] = [device.get(id), engine.get(id)];
    if (here === undefined) problems.push(`${name} lacks session ${id}`);
    else if (there === undefined) problems.push(`the engine lacks session ${id} of ${name}`);
    else if (shown(id, here) !== shown(id, there)) problems.push(`${name} and the engine differ in session ${id}`);
  }
  return problems;
}

/** Returns the violations in one log: gaps, texts that are there twice. */
export function problemsOfLog(id: string, log: readonly SessionEvent[]): readonly string[] {
  const gaps = log.flatMap(({ since, seq }, index) =>
    (since ?? seq) === (log[index - 1]?.seq ?? 0) + 1 ? [] : [`session ${id} has a gap before ${seq}`],
  );
  const { messages, queue, id: named } = log.reduce(evolve, initialState(id));
  const texts = [...messages, ...queue.map(({ message }) => message)]
    .filter(({ role }) => role === 'user')
    .map((message) => extractTextContent(message));
  return [
    ...gaps,
    ...(named === id ? [] : [`session ${id} calls itself ${named}`]),
    ...texts.filter((text, index) => texts.indexOf(text) !== index).map((text) => `session ${id} has "${text}" twice`),
  ];
}

/** Returns the calls that could run in a fork as it was kept: somebody has decided on them in another session. */
export function problemsOfForks(id: string, log: readonly SessionEvent[]): readonly string[] {
  const end = log.findIndex((event) => event.type === 'session.renamed' && event.title.includes('(kept from'));
  const { messages } = log.slice(0, end + 1).reduce(evolve, initialState(id));
  return messages
    .flatMap(toolParts)
    .filter(({ status, startedAt }) => !isEnded(status) || (status === 'uncertain' && startedAt !== undefined))
    .map(({ callId, status }) => `call ${callId} of fork ${id} is ${status}`);
}

/** Returns what was said and is gone. @param removed the texts of sessions that a person has removed */
export function problemsOfSaid(said: readonly Said[], engine: Logs, removed: ReadonlySet<string>): readonly string[] {
  const all = JSON.stringify([...engine.values()]);
  return said
    .filter(({ text, isStored }) => isStored && !removed.has(text) && !all.includes(JSON.stringify(text)))
    .map(({ text, sessionId }) => `"${text}" was said in ${sessionId}, and is gone`);
}

/**
 * The state without what differs by the pieces in which text was stored (the times at which messages changed), and without the origin of messages:
 * what one device wrote is from another device there.
 */
function shown(id: string, log: readonly SessionEvent[]): string {
  const { messages, queue, title, metadata, run, context } = log.reduce(evolve, initialState(id));
  return JSON.stringify({ messages, queue, title, metadata, run, context }, (name, value: unknown) =>
    name === 'origin' ? undefined : value,
  );
}
