import { isDelta, type Cadence, type DeltaEvent, type SessionEvent } from '../core/model/event.ts';

/** A text that streamed: an event that was joined from several deltas, with their times. */
type Streamed = DeltaEvent & { readonly cadence: Cadence };

/**
 * Returns the event as an event of its own for each piece in which its text arrived. Each piece has its own time; all have the `seq` of the
 * whole. An event without a valid cadence is one piece.
 */
export function toPieces(event: SessionEvent): readonly SessionEvent[] {
  if (!isStreamed(event)) return [event];
  const { cadence } = event;
  const pieces: SessionEvent[] = [];
  let end = 0;
  let at = startOf(event);
  for (let index = 0; index + 1 < cadence.length; index += 2) {
    const start = end;
    at += cadence[index] ?? 0;
    end += cadence[index + 1] ?? 0;
    pieces.push(cut(event, [start, end], at));
  }
  return pieces;
}

/** Returns the part of an event that had arrived at `time`, or `undefined` when nothing had arrived or the event has no valid cadence. */
export function arrivedBy(event: SessionEvent, time: number): SessionEvent | undefined {
  const pieces = toPieces(event);
  const arrived = pieces.filter(({ at }) => at <= time);
  const last = arrived.at(-1);
  if (last === undefined || arrived.length === pieces.length || !isStreamed(event)) return undefined;
  return cut(event, [0, lengthOf(arrived)], last.at);
}

function lengthOf(pieces: readonly SessionEvent[]): number {
  return pieces.reduce((sum, piece) => sum + (isDelta(piece) ? piece.text.length : 0), 0);
}

/** Returns the event with the time at which its reasoning began: the text may be all that the log has of it. */
export function withStart(event: SessionEvent): SessionEvent {
  if (event.type !== 'reasoning.delta' || event.startedAt !== undefined || !isStreamed(event)) return event;
  return { ...event, startedAt: startOf(event) + (event.cadence[0] ?? 0) };
}

function startOf({ at, cadence }: Streamed): number {
  return at - cadence.reduce((sum, ms, index) => (index % 2 === 0 ? sum + ms : sum), 0);
}

/** Returns characters of a text. Only the end of a reasoning part has the provider's seal: a sealed part takes no more text. */
function cut(event: Streamed, [start, end]: readonly [start: number, end: number], at: number): SessionEvent {
  const { cadence: _cadence, ...whole } = event;
  const piece = { ...whole, text: whole.text.slice(start, end), at };
  if (piece.type !== 'reasoning.delta' || end === whole.text.length) return piece;
  const { provider: _seal, ...open } = piece;
  return open;
}

/** Whether the cadence fits the text: an imported file may contain any cadence, and the pieces must add up to the text. */
function isStreamed(event: SessionEvent): event is Streamed {
  if (!isDelta(event) || event.cadence === undefined) return false;
  const lengths = event.cadence.filter((_number, index) => index % 2 === 1);
  return (
    event.cadence.length % 2 === 0 &&
    lengths.length > 0 &&
    lengths.every((length) => Number.isSafeInteger(length) && length >= 0) &&
    lengths.reduce((sum, length) => sum + length, 0) === event.text.length
  );
}
