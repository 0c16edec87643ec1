import type { SessionEvent } from '../../core/model/event.ts';
import { fold } from '../../core/model/fold.ts';
import { initialState, type SessionState } from '../../core/model/state.ts';
import type { Pauses } from './pause.ts';

/** Events reduced without a pause: a few ms. */
const stride = 2_000;
/** What an event costs to reduce, in characters as `createPauses` counts them. */
const eventCost = 125;

/** Returns the state of a log, with pauses. */
export async function foldSlowly(
  events: readonly SessionEvent[],
  sessionId: string,
  pauses: Pauses,
): Promise<SessionState> {
  let state = initialState(sessionId);
  for (let from = 0; from < events.length; from += stride) {
    const some = events.slice(from, from + stride);
    state = fold(some, state);
    await pauses.spend(some.length * eventCost);
  }
  return state;
}
