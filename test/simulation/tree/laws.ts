import { type SessionEvent, toolParts } from 'brooklet';
import { evolve, initialState } from 'brooklet/core';
import { openRun, type SessionState } from '../../../src/core/model/state.ts';
import { statusOf } from '../../../src/core/model/status.ts';
import { problemsOfRest } from '../laws.ts';
import { mostOutput } from './models.ts';
import { lastText, maxSteps, type TreeWorld } from './world.ts';

/** The stored logs of a tree, by the id of the session, and the states that they reduce to. */
export interface Forest {
  readonly logs: ReadonlyMap<string, readonly SessionEvent[]>;
  readonly states: ReadonlyMap<string, SessionState>;
}

/** Returns what the store has of all sessions. */
export async function readForest({ memory, disk }: TreeWorld): Promise<Forest> {
  const { sessions } = await memory.list({ children: true, limit: 1_000 });
  const logs = new Map(sessions.map(({ id }) => [id, disk.log(id)] as const));
  const states = new Map([...logs].map(([id, log]) => [id, log.reduce(evolve, initialState(id))] as const));
  return { logs, states };
}

/** Sessions that run or wait below a root that does neither, and requests and tools of them. */
export function problemsOfOrphans({ states }: Forest, { asked, ran }: TreeWorld): readonly string[] {
  const isAtWork = (id: string): boolean => {
    const state = states.get(id);
    return state !== undefined && openRun(state) !== undefined;
  };
  const orphans = [...states].filter(
    ([id, { path = [] }]) => isAtWork(id) && path.some((place) => !isAtWork(place.sessionId)),
  );
  const open = asked.filter(
    ({ isOpen, device, request }) => isOpen && device.isAlive() && !isAtWork(request.sessionId),
  );
  const busy = ran.filter(({ isOpen, device, sessionId }) => isOpen && device.isAlive() && !isAtWork(sessionId));
  return [
    ...orphans.map(([id, state]) => `orphan ${id} is ${statusOf(state)}`),
    ...open.map(({ request }) => `orphan ${request.sessionId} asks`),
    ...busy.map(({ callId }) => `orphan call ${callId} is at work`),
  ];
}

/** The session of a call: it is started once, it ends once, and the call has what it ended with. */
export function problemsOfChildren({ logs, states }: Forest): readonly string[] {
  const problems: string[] = [];
  for (const [id, state] of states) {
    const log = logs.get(id) ?? [];
    const place = state.path?.at(-1);
    if (place === undefined) continue;
    const parent = logs.get(place.sessionId) ?? [];
    const isNamed = parent.some(
      (event) => event.type === 'call.started' && event.callId === place.callId && event.session === id,
    );
    if (!isNamed) problems.push(`${id} is of no call of ${place.sessionId}`);
    const begun = parent.filter((event) => event.type === 'call.started' && event.callId === place.callId);
    if (begun.some((event) => event.type === 'call.started' && event.session !== id))
      problems.push(`call ${place.callId} has several sessions`);
    if (log.filter(({ type }) => type === 'message.added').length > 1) problems.push(`${id} has its prompt twice`);
    if (log.filter((event) => event.type === 'run.started' && event.resumes === undefined).length > 1)
      problems.push(`${id} was started twice`);
    const done = log.findIndex((event) => event.type === 'run.ended' && event.outcome === 'completed');
    if (done >= 0 && log.slice(done).some(({ type }) => type === 'run.started'))
      problems.push(`${id} ran again after it had completed`);
  }
  for (const state of states.values())
    for (const { session, status, output } of state.messages.flatMap(toolParts)) {
      const child = states.get(session ?? '');
      if (child === undefined || status !== 'succeeded') continue;
      if (child.run?.outcome !== 'completed')
        problems.push(`the call of ${child.id} succeeded, and it is ${child.run?.outcome}`);
      if (output !== lastText(child.messages)) problems.push(`the call of ${child.id} has ${JSON.stringify(output)}`);
    }
  return problems;
}

/** A decision that a person has made at the root. */
export interface Decided {
  readonly callId: string;
  readonly verdict: 'approved' | 'rejected';
}

/** Each stored decision of a person is one that was made, on that call. */
export function problemsOfDecisions({ logs }: Forest, made: readonly Decided[]): readonly string[] {
  return [...logs].flatMap(([id, log]) =>
    log.flatMap((event) => {
      if (event.type !== 'approval.decided' || event.decidedBy !== 'user') return [];
      const { callId, verdict } = event;
      const isMade = made.some((one) => one.callId === callId && one.verdict === verdict);
      return isMade ? [] : [`call ${callId} of ${id} is ${verdict}, and no person has said so`];
    }),
  );
}

/** The events of a tree between two moments at which its purse was filled, in the order of their times. */
type Span = readonly SessionEvent[];

/** The purse is filled when the root begins a run, and when it resumes one that a limit has ended. */
function spansOf({ logs, states }: Forest, rootId: string): readonly Span[] {
  const spans: SessionEvent[][] = [];
  let last: string | undefined;
  const root = logs.get(rootId) ?? [];
  const starts = root.flatMap((event) => {
    if (event.type === 'run.ended') last = event.outcome;
    return event.type === 'run.started' && (event.resumes === undefined || last === 'limit') ? [event.at] : [];
  });
  const all = [...logs].filter(([id]) => id === rootId || states.get(id)?.path?.[0]?.sessionId === rootId);
  const events = all.flatMap(([, log]) => log).toSorted((one, other) => one.at - other.at);
  for (const [index, from] of starts.entries())
    spans.push(events.filter(({ at }) => at >= from && at < (starts[index + 1] ?? Infinity)));
  return spans;
}

const requestsIn = (span: Span): number => span.filter(({ type }) => type === 'reply.started').length;

/** No request is sent beyond the purse but one, which another tab has not seen yet; and none is refused before the purse is empty. */
export function problemsOfPurse({ budget }: TreeWorld, forest: Forest, rootId: string): readonly string[] {
  const { steps = Infinity, money = Infinity } = budget;
  const root = forest.logs.get(rootId) ?? [];
  return spansOf(forest, rootId).flatMap((span) => {
    const sent = requestsIn(span);
    const cost = span.reduce((sum, event) => sum + (event.type === 'reply.ended' ? (event.cost ?? 0) : 0), 0);
    const own = span.filter((event) => event.type === 'reply.started' && root.includes(event)).length;
    const refusal = span.find(
      (event) =>
        event.type === 'run.ended' &&
        event.limit === 'steps' &&
        // The end of the span before may have the same time.
        event.at > (span.find(({ type }) => type === 'run.started')?.at ?? 0) &&
        (event.account === rootId || (root.includes(event) && own < maxSteps)),
    );
    const before = refusal ? requestsIn(span.filter(({ at }) => at <= refusal.at)) : Infinity;
    return [
      ...(sent > steps + 1 ? [`${sent} requests were sent, and ${steps} were allowed`] : []),
      ...(cost > money + mostOutput ? [`requests have cost ${cost}, and ${money} was allowed`] : []),
      ...(before < steps ? [`a request was refused after ${before}, and ${steps} were allowed`] : []),
    ];
  });
}

/** A tree that has completed without a limit: the account of the root has each request once. */
export function problemsOfAccount({ logs, states }: Forest, rootId: string): readonly string[] {
  const root = states.get(rootId);
  const all = [...logs].filter(([id]) => id === rootId || states.get(id)?.path?.[0]?.sessionId === rootId);
  const isPlain =
    all.every(([, log]) => log.every((event) => event.type !== 'run.ended' || event.outcome !== 'limit')) &&
    (logs.get(rootId) ?? []).filter(({ type }) => type === 'message.added').length === 1;
  if (root?.run?.outcome !== 'completed' || !isPlain) return [];
  const counted = root.run.steps + (root.run.children?.steps ?? 0);
  const is = all.flatMap(([, log]) => log).filter(({ type }) => type === 'reply.started').length;
  return counted === is ? [] : [`the account of the root has ${counted} requests, and the logs have ${is}`];
}

/** What each session at rest has to obey. */
export function problemsOfLogs({ logs }: Forest): readonly string[] {
  return [...logs].flatMap(([id, log]) => problemsOfRest(log, id).map((problem) => `${id}: ${problem}`));
}
