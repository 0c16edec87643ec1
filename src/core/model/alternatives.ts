import { defined } from '../json.ts';
import { placeOf } from './message.ts';
import { sealCalls } from './parts.ts';
import { type Alternative, openRun, type SessionState } from './state.ts';

/** The versions of a conversation that begin at one message: one is shown, the others are kept. */
export interface Alternatives {
  /** Ids of the first message of each version, oldest version first. */
  readonly ids: readonly string[];
  /** Index of the version that is shown; -1 for a message that the conversation does not show. */
  readonly index: number;
  /** Number of versions; 1 for a message without alternatives. */
  readonly count: number;
}

/** Returns the id of the message before a place; empty at the beginning. */
const idBefore = ({ messages }: SessionState, place: number): string => messages[place - 1]?.id ?? '';

/** Returns the version that begins at a place of the conversation. */
function shownFrom(state: SessionState, start: number): Alternative {
  const after = idBefore(state, start);
  // The least order that none of its alternatives has.
  let order = 0;
  while (state.alternatives.some((one) => one.after === after && one.order === order)) order++;
  return { after, order, messages: state.messages.slice(start) };
}

/** Returns the versions that begin at a place of the conversation, oldest first. */
export function versionsAt(state: SessionState, start: number): readonly Alternative[] {
  const shown = shownFrom(state, start);
  return [shown, ...state.alternatives.filter(({ after }) => after === shown.after)].sort((a, b) => a.order - b.order);
}

/** Returns the versions that begin at a message. */
export function alternativesOf(state: SessionState, messageId: string): Alternatives {
  const place = placeOf(state.messages, messageId);
  const ids =
    place < 0 ? [] : versionsAt(state, place).flatMap(({ messages }) => messages.slice(0, 1).map(({ id }) => id));
  return { ids, index: ids.indexOf(messageId), count: ids.length };
}

/**
 * Keeps the messages from `start` on as an alternative, and shows those before. Invariant: no call of an alternative can run, be decided or
 * be continued, also when the alternative is shown again.
 */
export function setAside(state: SessionState, start: number): SessionState {
  const shown = shownFrom(state, start);
  if (shown.messages.length === 0) return state;
  const run = openRun(state) ? undefined : state.run;
  const alternative = { ...shown, messages: shown.messages.map(sealCalls), ...defined({ run }) };
  return {
    ...state,
    messages: state.messages.slice(0, start),
    alternatives: [...state.alternatives, alternative],
    replaced: [],
  };
}

/** Shows the alternative that begins with this message. During a run, and where the message before is not shown, nothing changes. */
export function showAlternative(state: SessionState, messageId: string): SessionState {
  const chosen = state.alternatives.find(({ messages }) => messages[0]?.id === messageId);
  const start = placeOf(state.messages, chosen?.after) + 1;
  if (chosen === undefined || openRun(state) || chosen.after !== idBefore(state, start)) return state;
  const { run: _run, ...rest } = setAside(state, start);
  return {
    ...rest,
    messages: [...rest.messages, ...chosen.messages],
    alternatives: rest.alternatives.filter((one) => one !== chosen),
    ...defined({ run: chosen.run }),
  };
}

/** Removes a message. The versions after it follow the message before. */
export function removeMessage(state: SessionState, messageId: string): SessionState {
  const { messages, alternatives } = state;
  const after = idBefore(state, placeOf(messages, messageId));
  return {
    ...state,
    messages: messages.filter(({ id }) => id !== messageId),
    alternatives: alternatives.map((one) => (one.after === messageId ? { ...one, after } : one)),
  };
}
