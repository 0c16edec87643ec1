import { firstSeq, join } from './coalesce.ts';
import { type DeltaEvent, isDelta, type SessionEvent } from './event.ts';
import type { SessionWrite } from './store.ts';

/** Returns an event as it is stored: each delta names its first number, so that a reader can distinguish a joined delta from a lost one. */
export function withFirstSeq(event: SessionEvent): SessionEvent {
  return isDelta(event) && event.since === undefined ? { ...event, since: event.seq } : event;
}

/** Returns the event of a whole part with the times and lengths of its pieces as its `cadence`. */
function withCadence(whole: DeltaEvent, pieces: readonly DeltaEvent[]): DeltaEvent {
  const cadence = pieces.flatMap(({ at, text }, index) => [at - (pieces[index - 1]?.at ?? at), text.length]);
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
  /** The pieces, joined. */
  let whole: DeltaEvent | undefined;

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
    const isJoined = pieces.length > 1;
    if (whole !== undefined) put(isJoined ? withCadence(whole, pieces) : whole, isJoined);
    pieces = [];
    whole = undefined;
  }

  for (const event of [...stored, ...fresh]) {
    const longer = join(whole, event);
    if (longer === undefined) endPart();
    if (isDelta(event)) {
      whole = longer ?? event;
      pieces.push(event);
    } else put(event, false);
  }
  endPart();
  return { events, replaces, phase: 'settled' };
}
