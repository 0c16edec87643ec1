import { fail } from '../../../core/error.ts';
import { type EventBody, eventVersion, type SessionEvent } from '../../../core/model/event.ts';
import { openRun, type SessionState } from '../../../core/model/state.ts';
import { toSummary } from '../../../core/model/summary.ts';
import type { SessionStore, SessionWrite, StoredSession } from '../../../core/model/store.ts';
import { lineageOf, toWriteId } from '../../../core/model/write-id.ts';
import type { Ports } from '../../../core/ports.ts';
import { readEvent } from '../event-shape.ts';
import { foldSlowly } from '../fold-slowly.ts';
import type { Pauses } from '../pause.ts';
import type { KnownSession } from './plan-turns.ts';

/** What an event costs to check, in characters as `createPauses` counts them. */
const eventCost = 500;

interface EventsFrom {
  readonly seq: number;
  /** Time of the event before: ms since the epoch. */
  readonly at: number;
}

/**
 * Returns the events, each checked. Times do not fall: the list orders sessions by the time of their last event.
 *
 * @throws AgentError `INVALID_INPUT` with the message, the field and the reason
 */
export async function toEvents(
  bodies: readonly EventBody[],
  from: EventsFrom,
  pauses: Pauses,
): Promise<readonly SessionEvent[]> {
  const events: SessionEvent[] = [];
  let { seq, at } = from;
  let count = 0;
  for (const body of bodies) {
    if (body.type === 'message.added') {
      count++;
      at = Math.max(at, body.message.timestamp);
    }
    const read = readEvent(structuredClone({ ...body, seq: ++seq, at, v: eventVersion }));
    if ('flaw' in read) fail('INVALID_INPUT', `Message ${count}: ${read.flaw.field} ${read.flaw.reason}.`);
    events.push(read.event);
    await pauses.spend(eventCost);
  }
  return events;
}

/** Stores a new session. Rejects with the store's AgentError, `STORAGE_CONFLICT` where the id is in use. */
export async function writeNew(
  store: SessionStore,
  sessionId: string,
  events: readonly SessionEvent[],
  pauses: Pauses,
  newId: Ports['id'],
): Promise<void> {
  const summary = toSummary(await foldSlowly(events, sessionId, pauses));
  const writeId = toWriteId(newId());
  await store.write({ sessionId, expectedSeq: 0, writeId, events, summary, ...settled });
}

/** Adds events to a stored session. Rejects with `STORAGE_CONFLICT` where another writer was first. */
export async function writeMore(
  store: SessionStore,
  { summary: { id: sessionId, seq: expectedSeq }, writeId: before, events: stored }: StoredSession,
  events: readonly SessionEvent[],
  pauses: Pauses,
  newId: Ports['id'],
): Promise<void> {
  const summary = toSummary(await foldSlowly([...stored, ...events], sessionId, pauses));
  const writeId = toWriteId(lineageOf(before) ?? newId(), newId());
  const expectedWriteId = before;
  await store.write({ sessionId, expectedSeq, expectedWriteId, writeId, events, summary, ...settled });
}

const settled = { durability: 'relaxed', phase: 'settled' } as const satisfies Partial<SessionWrite>;

/** What a plan must know of a stored session. */
export interface StoredHistory extends KnownSession {
  readonly state: SessionState;
  /** Whether a run is open: nothing may be added. */
  readonly isBusy: boolean;
}

/** Reads what a stored session has. */
export async function historyOf({ events, summary }: StoredSession, pauses: Pauses): Promise<StoredHistory> {
  const state = await foldSlowly(events, summary.id, pauses);
  const ids = new Set<string>();
  for (const event of events) {
    if (event.type === 'message.added' || event.type === 'message.queued') ids.add(event.message.id);
    if (event.type === 'reply.started') ids.add(event.messageId);
  }
  return { state, ids, isBusy: openRun(state) !== undefined };
}
