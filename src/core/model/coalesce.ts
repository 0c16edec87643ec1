import { type DeltaEvent, isDelta, type SessionEvent } from './event.ts';
import type { SessionWrite } from './store.ts';

/** Joins two neighbours that grow the same part, or gives `undefined` where they do not. */
function join(first: SessionEvent | undefined, second: SessionEvent): DeltaEvent | undefined {
  if (first === undefined || !isDelta(first) || !isDelta(second)) return undefined;
  // One with a pace is whole already.
  if (first.cadence !== undefined || second.cadence !== undefined) return undefined;
  switch (second.type) {
    case 'text.delta':
      return first.type === 'text.delta' ? { ...second, text: first.text + second.text } : undefined;
    case 'reasoning.delta':
      // A sealed part is closed: what follows is a part of its own.
      return first.type === 'reasoning.delta' && first.provider === undefined
        ? { ...second, text: first.text + second.text, startedAt: first.startedAt ?? first.at }
        : undefined;
    case 'call.delta':
      return first.type === 'call.delta' && first.callId === second.callId
        ? { ...second, ...(first.name && { name: first.name }), text: first.text + second.text }
        : undefined;
  }
}

/** The same log in fewer events: neighbouring deltas of one part become one. Folds to the same state. */
export function coalesce(events: readonly SessionEvent[]): readonly SessionEvent[] {
  const joined: SessionEvent[] = [];
  for (const event of events) add(joined, event);
  return joined;
}

/** Adds an event to a list that is joined as it grows. Gives the event that it became part of. */
export function add(events: SessionEvent[], event: SessionEvent): SessionEvent {
  const longer = join(events.at(-1), event);
  if (longer !== undefined) events.pop();
  events.push(longer ?? event);
  return longer ?? event;
}

/** Makes one event of the pieces of one part, and notes when each of them came. At least one piece. */
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

/** Stored events up to here are written once more to lie beside the others of their run, in characters of JSON. Attachments are bigger. */
const small = 1_024;

/**
 * What to write when a run has ended, so that each of its parts stands in the log as one event with its pace, and all that is not big
 * lies together.
 *
 * @param stored the run's events that are in the store already: all of them, from the first on
 * @param fresh those that are not
 */
export function rewrite(
  stored: readonly SessionEvent[],
  fresh: readonly SessionEvent[],
): Required<Pick<SessionWrite, 'events' | 'replaces' | 'phase'>> {
  const events: SessionEvent[] = [];
  const replaces: [from: number, to: number][] = [];
  const firstFresh = fresh[0]?.seq ?? Infinity;
  /** The range that what comes next belongs to; missing after an event that stays where it is. */
  let range: [from: number, to: number] | undefined;
  let pieces: DeltaEvent[] = [];

  /** @param first `seq` of the first of the pieces that the event was made of */
  function put(event: SessionEvent, first: number): void {
    if (first < firstFresh) {
      if (first === event.seq && JSON.stringify(event).length > small) {
        range = undefined;
        return;
      }
      if (range === undefined) replaces.push((range = [first, first]));
      range[1] = event.seq;
    }
    events.push(first < Math.min(event.seq, firstFresh) ? { ...event, since: first } : event);
  }

  function endPart(): void {
    const [first, ...others] = pieces;
    pieces = [];
    if (first !== undefined) put(others.length > 0 ? withPace([first, ...others]) : first, first.seq);
  }

  for (const event of [...stored, ...fresh]) {
    if (join(pieces.at(-1) ?? event, event) === undefined) endPart();
    if (isDelta(event)) pieces.push(event);
    else put(event, event.seq);
  }
  endPart();
  return { events, replaces, phase: 'settled' };
}
