import { fail } from '../error.ts';
import { type EventBody, eventVersion, type SessionEvent } from './event.ts';
import { placeOf } from './message.ts';
import { fold } from './fold.ts';
import { retell } from './retell.ts';
import { toSummary } from './summary.ts';
import { initialState, type SessionState } from './state.ts';
import type { SessionWrite } from './store.ts';
import { toWriteId } from './write-id.ts';

/** A write that stores a session from its beginning, and the resulting state. */
export interface Snapshot {
  readonly write: SessionWrite;
  readonly state: SessionState;
}

/**
 * Returns a write that stores the visible content of a session under its own id, for a session whose log is lost. The last event has the
 * `seq` and the time of the state, so that a tab with the session in memory can continue.
 *
 * @param lineage a new one: the log is another one than the lost log
 */
export function snapshot(state: SessionState, lineage: string): Snapshot {
  return toSnapshot(bodiesOf(state), state, lineage);
}

function toSnapshot(
  bodies: readonly EventBody[],
  { id, createdAt, updatedAt, seq }: Pick<SessionState, 'id' | 'createdAt' | 'updatedAt' | 'seq'>,
  lineage: string,
): Snapshot {
  const events: readonly SessionEvent[] = bodies.map((body, index) => ({
    ...body,
    seq: seq - bodies.length + 1 + index,
    at: index === 0 ? createdAt : updatedAt,
    v: eventVersion,
  }));
  const stored = fold(events, initialState(id));
  return {
    write: {
      sessionId: id,
      expectedSeq: 0,
      writeId: toWriteId(lineage),
      events,
      summary: toSummary(stored),
      durability: 'relaxed',
      phase: 'settled',
    },
    state: stored,
  };
}

function bodiesOf(state: SessionState): readonly EventBody[] {
  const { id, title, queue, context, alternatives } = state;
  return [
    { type: 'session.started', sessionId: id, title },
    ...metadataOf(state),
    ...retell(state),
    // A title of another version's words would follow the versions that are told.
    ...(alternatives.length > 0 && title !== '' ? [{ type: 'session.renamed', title } as const] : []),
    ...queue.map((queued): EventBody => ({ type: 'message.queued', ...queued })),
    ...context.flatMap(carriedOver),
  ];
}

/**
 * Returns a write that stores a new session with the same messages, up to and including the given one (default: all), and with the
 * alternatives to these messages.
 *
 * @throws AgentError `MESSAGE_NOT_FOUND`
 */
export function fork(
  state: SessionState,
  messageId: string | undefined,
  { id, now }: { readonly id: string; readonly now: number },
): Snapshot {
  const { messages } = state;
  const last = placeOf(messages, messageId);
  if (messageId !== undefined && last < 0)
    fail('MESSAGE_NOT_FOUND', `There is no message ${messageId} in session ${state.id}.`);
  const kept = messageId === undefined ? messages : messages.slice(0, last + 1);
  const bodies = bodiesOf({ ...state, id, messages: kept, queue: [] });
  return toSnapshot(bodies, { id, createdAt: now, updatedAt: now, seq: bodies.length }, id);
}

function metadataOf({ metadata }: SessionState): readonly EventBody[] {
  return metadata === undefined ? [] : [{ type: 'metadata.changed', metadata }];
}

/** Returns the context event for the new log: compactions and pins are repeated, without the usage, which has been counted. */
function carriedOver({ seq: _seq, at: _at, v: _v, ...body }: SessionState['context'][number]): readonly EventBody[] {
  if (body.type === 'context.compaction-failed') return [];
  if (body.type !== 'context.compacted') return [body];
  const { usage: _usage, ...compacted } = body;
  return [compacted];
}
