import { type DeltaEvent, isDelta, type SessionEvent } from './event.ts';

/** Joins two neighbours that grow the same part, or gives `undefined` where they do not. */
function join(first: SessionEvent | undefined, second: SessionEvent): DeltaEvent | undefined {
  if (first === undefined || !isDelta(first) || !isDelta(second)) return undefined;
  // One with a pace is whole already.
  if (first.pace !== undefined || second.pace !== undefined) return undefined;
  switch (second.type) {
    case 'text.delta':
      return first.type === 'text.delta' ? { ...second, text: first.text + second.text } : undefined;
    case 'reasoning.delta':
      // A sealed part is closed: what follows is a part of its own.
      return first.type === 'reasoning.delta' && first.provider === undefined
        ? { ...second, text: first.text + second.text, began: first.began ?? first.at }
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
  const pace: number[] = [];
  for (const piece of pieces) {
    pace.push(piece.at - at, piece.text.length);
    at = piece.at;
    if (piece !== whole) whole = join(whole, piece) ?? whole;
  }
  return { ...whole, pace };
}

/**
 * What to write when a run has ended, so that each of its parts stands in the log as one event with its pace.
 *
 * @param stored the run's events that are in the store already
 * @param fresh those that are not
 */
export function rewrite(
  stored: readonly SessionEvent[],
  fresh: readonly SessionEvent[],
): { readonly events: readonly SessionEvent[]; readonly replaces: readonly (readonly [from: number, to: number])[] } {
  const events: SessionEvent[] = [];
  const replaces: (readonly [number, number])[] = [];
  const firstFresh = fresh[0]?.seq ?? Infinity;
  let pieces: DeltaEvent[] = [];

  function endPart(): void {
    const [first, ...others] = pieces;
    pieces = [];
    if (first === undefined) return;
    const isStored = first.seq < firstFresh;
    const whole = others.length > 0 ? withPace([first, ...others]) : first;
    if (!isStored) events.push(whole);
    else if (whole !== first) {
      events.push({ ...whole, since: first.seq });
      replaces.push([first.seq, whole.seq]);
    }
  }

  for (const event of [...stored, ...fresh]) {
    if (join(pieces.at(-1) ?? event, event) === undefined) endPart();
    if (isDelta(event)) pieces.push(event);
    else if (event.seq >= firstFresh) events.push(event);
  }
  endPart();
  return { events, replaces };
}
