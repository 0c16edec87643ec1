import type { SessionEvent } from './event.ts';
import { createFolding } from './folding.ts';
import { initialState, type SessionState } from './state.ts';

/** Returns the same state as `events.reduce(evolve, start)`, at a constant cost for each event. */
export function fold(events: readonly SessionEvent[], start: SessionState): SessionState {
  const { add, getState } = createFolding(start);
  events.forEach(add);
  return getState();
}

/** Returns the state of a stored log. */
export function foldLog(sessionId: string, events: readonly SessionEvent[]): SessionState {
  return fold(events, initialState(sessionId));
}
