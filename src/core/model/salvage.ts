import { AgentError } from '../error.ts';
import { isJsonObject } from '../json.ts';
import { eventVersion, type SessionEvent } from './event.ts';
import { evolve } from './evolve.ts';
import { initialState, type SessionState } from './state.ts';
import type { StoredSession } from './store.ts';
import { foldLog } from './fold.ts';
import { isCurrent, upcastLog } from './upcast.ts';

/** The readable part of a session. */
export interface Salvage {
  readonly state: SessionState;
  /** Why the session is read-only; missing when the whole log could be read. */
  readonly damage?: AgentError;
}

/** Reduces a log of an older version, or the readable events of a newer or damaged log. */
export function salvage(sessionId: string, { summary, events: stored, damage }: StoredSession): Salvage {
  const events = upcastLog(stored);
  if (damage === undefined && events.every(isPresent)) {
    try {
      return { state: foldLog(sessionId, events) };
    } catch {
      // One event cannot be reduced. The others are reduced one by one below.
    }
  }
  let state = initialState(sessionId);
  let skipped = 0;
  for (const event of events) {
    const next = tryEvolve(state, event);
    if (next === undefined) skipped++;
    else state = next;
  }
  const isNewer = events.some((event: unknown) => isJsonObject(event) && Number(event.v) > eventVersion);
  const message = isNewer
    ? 'This conversation was written by a newer version of this page. Reload the page to continue it.'
    : `A part of this conversation is damaged (${damage ?? `${skipped} of its events`} cannot be read). It can be read and exported, but not continued: start a new one, or fork this one.`;
  const code = isNewer ? 'SESSION_READ_ONLY' : 'STORAGE_CORRUPT';
  return { state: { ...state, title: state.title || summary.title }, damage: new AgentError(message, { code }) };
}

function tryEvolve(state: SessionState, event: unknown): SessionState | undefined {
  try {
    return isPresent(event) ? evolve(state, event) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether an event has the present version and, if it has a message, a message that can be rendered. */
function isPresent(event: unknown): event is SessionEvent {
  if (!isCurrent(event)) return false;
  return !isJsonObject(event.message) || Array.isArray(event.message.content);
}
