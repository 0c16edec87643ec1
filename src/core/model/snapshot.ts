import { fail } from '../error.ts';
import type { Message } from './message.ts';
import { type EventBody, eventVersion, type SessionEvent } from './event.ts';
import { fold } from './replay.ts';
import { toSummary } from './summary.ts';
import { initialState, type SessionState } from './state.ts';
import type { SessionWrite } from './store.ts';

/** A session that is stored from its beginning, and what it comes to. */
export interface Snapshot {
  readonly write: SessionWrite;
  readonly state: SessionState;
}

/**
 * Stores what a session shows under its own id: for one whose log is gone. Its last event has the `seq` and the time of the state, so
 * that whoever knows the session can go on.
 */
export function snapshot({ id, title, createdAt, updatedAt, seq, messages, queue, context }: SessionState): Snapshot {
  const bodies: readonly EventBody[] = [
    { type: 'session.started', sessionId: id, title },
    ...messages.map((message): EventBody => ({ type: 'message.added', message: closed(message) })),
    ...queue.map((queued): EventBody => ({ type: 'message.queued', ...queued })),
    ...context.flatMap(carriedOver),
  ];
  const events: readonly SessionEvent[] = bodies.map((body, index) => ({
    ...body,
    seq: seq - bodies.length + 1 + index,
    at: index === 0 ? createdAt : updatedAt,
    v: eventVersion,
  }));
  const state = fold(events, initialState(id));
  return {
    write: {
      sessionId: id,
      expectedSeq: 0,
      events,
      summary: toSummary(state),
      durability: 'relaxed',
      phase: 'settled',
    },
    state,
  };
}

/**
 * Another session that begins with the same messages, up to the given one.
 *
 * @throws AgentError `MESSAGE_NOT_FOUND`
 */
export function fork(
  state: SessionState,
  messageId: string | undefined,
  { id, now }: { readonly id: string; readonly now: number },
): Snapshot {
  const { messages, context } = state;
  const last = messages.findIndex((message) => message.id === messageId);
  if (messageId !== undefined && last < 0)
    fail('MESSAGE_NOT_FOUND', `There is no message ${messageId} in session ${state.id}.`);
  const kept = messageId === undefined ? messages : messages.slice(0, last + 1);
  return snapshot({
    ...state,
    id,
    createdAt: now,
    updatedAt: now,
    messages: kept,
    queue: [],
    seq: 1 + kept.length + context.flatMap(carriedOver).length,
  });
}

/** What is folded stays folded, and what is pinned pinned; what it cost has been counted. */
function carriedOver({ seq: _seq, at: _at, v: _v, ...body }: SessionState['context'][number]): readonly EventBody[] {
  if (body.type === 'context.compaction-failed') return [];
  if (body.type !== 'context.compacted') return [body];
  const { usage: _usage, ...compacted } = body;
  return [compacted];
}

/** Nobody goes on with it. */
function closed(message: Message): Message {
  return message.status === 'streaming' ? { ...message, status: 'interrupted' } : message;
}
