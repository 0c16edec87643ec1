import { AgentError } from '../error.ts';
import { isJsonObject } from '../json.ts';
import { eventVersion, type SessionEvent } from './event.ts';
import { evolve } from './evolve.ts';
import { initialState, type SessionState } from './state.ts';
import type { StoredSession } from './store.ts';
import { foldLog } from './replay.ts';
import { upcastLog } from './upcast.ts';

/** What can be shown of a session. */
export interface Salvage {
  readonly state: SessionState;
  /** Why nothing may be written on top of it; missing where all of it could be understood. */
  readonly damage?: AgentError;
}

/** Folds a log of an older version, or as much as can be understood of a newer or damaged one. */
export function salvage(sessionId: string, { summary, events: stored, damage }: StoredSession): Salvage {
  const events = upcastLog(stored);
  if (damage === undefined && events.every(isPresent)) {
    try {
      return { state: foldLog(sessionId, events) };
    } catch {
      // One of the events cannot be folded: the others can, one by one.
    }
  }
  let state = initialState(sessionId);
  let skipped = 0;
  for (const event of events) {
    const next = tryOut(state, event);
    if (next === undefined) skipped++;
    else state = next;
  }
  if (skipped === 0 && damage === undefined) return { state };
  const isNewer = events.some(({ v }) => v > eventVersion);
  const message = isNewer
    ? `Session ${sessionId} was written by a newer version of this page: reload the page to go on with it.`
    : `Of session ${sessionId} ${damage ?? `${skipped} of its events`} cannot be read. It cannot be gone on with; a fork of it can.`;
  const code = isNewer ? 'SESSION_READ_ONLY' : 'STORAGE_CORRUPT';
  return { state: { ...state, title: state.title || summary.title }, damage: new AgentError(message, { code }) };
}

function tryOut(state: SessionState, event: unknown): SessionState | undefined {
  try {
    return isPresent(event) ? evolve(state, event) : undefined;
  } catch {
    return undefined;
  }
}

/** Of this version, and its messages, if it brings any, can be drawn. */
function isPresent(event: unknown): event is SessionEvent {
  if (!isJsonObject(event) || event.v !== eventVersion) return false;
  return !isJsonObject(event.message) || Array.isArray(event.message.content);
}
