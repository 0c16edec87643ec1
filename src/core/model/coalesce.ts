import { type DeltaEvent, isDelta, type SessionEvent } from './event.ts';
import type { SessionWrite } from './store.ts';

/** Returns the `seq` of the first of the events that an event was joined from. */
function firstSeq({ since, seq }: SessionEvent): number {
  return since ?? seq;
}

/** Returns an event as it is stored: each delta names its first number, so that a reader can tell a joined delta from a lost one. */
export function withFirstSeq(event: SessionEvent): SessionEvent {
  return isDelta(event) && event.since === undefined ? { ...event, since: event.seq } : event;
}

/** Joins two consecutive deltas of the same part; returns `undefined` for any other events. */
function join(first: SessionEvent | undefined, second: SessionEvent): DeltaEvent | undefined {
  if (first === undefined || !isDelta(first) || !isDelta(second)) return undefined;
  // A delta with a cadence is complete.
  if (first.cadence !== undefined || second.cadence !== undefined) return undefined;
  const since = firstSeq(first);
  switch (second.type) {
    case 'text.delta':
      return first.type === 'text.delta' ? { ...second, text: first.text + second.text, since } : undefined;
    case 'reasoning.delta':
      // A part with provider data is closed: the next delta begins a new part.
      return first.type === 'reasoning.delta' && first.provider === undefined
        ? { ...second, text: first.text + second.text, since, startedAt: first.startedAt ?? first.at }
        : undefined;
    case 'call.delta':
      return first.type === 'call.delta' && first.callId === second.callId
        ? { ...second, ...(first.name && { name: first.name }), text: first.text + second.text, since }
        : undefined;
  }
}

/** Returns the log with consecutive deltas of one part joined into one event. Invariant: both logs reduce to the same state. */
export function coalesce(events: readonly SessionEvent[]): readonly SessionEvent[] {
  const joined: SessionEvent[] = [];
  for (const event of events) add(joined, event);
  return joined;
}

/** Adds an event to a list, joined with the last event where possible. Returns the event at the end of the list. */
export function add(events: SessionEvent[], event: SessionEvent): SessionEvent {
  const longer = join(events.at(-1), event);
  if (longer !== undefined) events.pop();
  events.push(longer ?? event);
  return longer ?? event;
}

/** Joins the pieces of one part into one event, with their times and lengths as its `cadence`. */
export function withPace(pieces: readonly [DeltaEvent, ...DeltaEvent[]]): DeltaEvent {
  let [whole] = pieces;
  let at = whole.at;
  const cadence: number[] = [];
  for (const piece of pieces) {
    cadence.push(piece.at - at, piece.text.length);
    at = piece.at;
    if (piece !== whole) whole = join(whole, piece) ?? whole;
  }
  return { ...whole, cadence };
}

/** Characters of JSON. Stored events up to this size are rewritten next to the others of their run; larger ones (attachments) stay. */
const maxRewritten = 1_024;

/**
 * Returns the write at the end of a run, after which each part of the run is one event with its cadence, and its small events are stored
 * next to each other.
 *
 * @param stored the events of the run that are in the store already: all of them, from the first on
 * @param fresh the events of the run that are not in the store yet
 */
export function rewrite(
  stored: readonly SessionEvent[],
  fresh: readonly SessionEvent[],
): Required<Pick<SessionWrite, 'events' | 'replaces' | 'phase'>> {
  const events: SessionEvent[] = [];
  const replaces: [from: number, to: number][] = [];
  const firstFresh = fresh[0] ? firstSeq(fresh[0]) : Infinity;
  /** The range that includes the next event; missing after an event that stays in its place. */
  let range: [from: number, to: number] | undefined;
  let pieces: DeltaEvent[] = [];

  /** @param isJoined whether the event was made of several pieces just now */
  function put(event: SessionEvent, isJoined: boolean): void {
    const first = firstSeq(event);
    if (first < firstFresh) {
      if (!isJoined && JSON.stringify(event).length > maxRewritten) {
        range = undefined;
        return;
      }
      if (range === undefined) replaces.push((range = [first, first]));
      range[1] = event.seq;
    }
    events.push(event);
  }

  function endPart(): void {
    const [first, ...others] = pieces;
    pieces = [];
    if (first !== undefined) put(others.length > 0 ? withPace([first, ...others]) : first, others.length > 0);
  }

  for (const event of [...stored, ...fresh]) {
    if (join(pieces.at(-1) ?? event, event) === undefined) endPart();
    if (isDelta(event)) pieces.push(event);
    else put(event, false);
  }
  endPart();
  return { events, replaces, phase: 'settled' };
}
