import { animationFrameScheduler, asyncScheduler, auditTime, map, Observable, throttleTime } from 'rxjs';
import { eventVersion, isTransient, type SessionEvent } from '../../core/model/event.ts';
import { createLogReader } from '../../review/read-log.ts';
import { repeatable } from '../../review/repeatable.ts';
import type { LogSource } from '../drawer-env.ts';

/** How often a log is shown that changes: with each frame, or a few times a second for what takes longer to compute. */
export type Pace = 'frame' | 'calm';

const calm = 250;

/**
 * Emits the log of a session after each change: what the store has, and after it what this page has done and not stored. Without a store, what
 * was recorded.
 */
export function watchLog(
  { agent: { events$, store }, recorded }: LogSource,
  sessionId: string,
  pace: Pace,
): Observable<readonly SessionEvent[]> {
  let stored: readonly SessionEvent[] = [];

  function merge(): readonly SessionEvent[] {
    const last = stored.at(-1)?.seq ?? 0;
    const own = recorded.filter(
      (one) => one.sessionId === sessionId && one.event.seq > last && !isTransient(one.event),
    );
    return withStart([...stored, ...own.map(({ event }) => event)], sessionId);
  }

  const changes$ = new Observable<void>((subscriber) => {
    subscriber.add(events$.subscribe((one) => one.sessionId === sessionId && subscriber.next()));
    if (!store) return subscriber.next();
    const readLog = createLogReader(store, sessionId);
    const read = repeatable(async () => {
      // What cannot be read is shown as far as this page knows it.
      stored = await readLog().catch(() => []);
      subscriber.next();
    });
    subscriber.add(store.changes$.subscribe((changed) => changed === sessionId && void read()));
    void read();
  });
  const paced$ =
    pace === 'frame'
      ? changes$.pipe(auditTime(0, animationFrameScheduler))
      : changes$.pipe(throttleTime(calm, asyncScheduler, { leading: true, trailing: true }));
  return paced$.pipe(map(merge));
}

/** Returns the log with its first event, which an agent records before it notifies anybody. */
function withStart(events: readonly SessionEvent[], sessionId: string): readonly SessionEvent[] {
  const [first] = events;
  if (first?.seq !== 2) return events;
  return [{ type: 'session.started', sessionId, seq: 1, at: first.at, v: eventVersion }, ...events];
}

/** A session that can be selected. */
export interface ListedSession {
  readonly id: string;
  readonly title: string;
}

/** Sessions of the store that are listed. */
const mostListed = 50;

/** Emits the sessions of an agent: those that have done something in this page, the latest first, then those of its store. */
export function watchSessions({
  agent: { events$, store },
  recorded,
}: LogSource): Observable<readonly ListedSession[]> {
  let rows: readonly ListedSession[] = [];

  function merge(): readonly ListedSession[] {
    const here = new Set(recorded.map(({ sessionId }) => sessionId).toReversed());
    const titles = new Map(rows.map(({ id, title }) => [id, title]));
    const others = rows.map(({ id }) => id).filter((id) => !here.has(id));
    return [...here, ...others].map((id) => ({ id, title: titles.get(id) ?? '' }));
  }

  const changes$ = new Observable<void>((subscriber) => {
    const list = repeatable(async () => {
      const page = await store?.list({ limit: mostListed, children: true }).catch(() => undefined);
      rows = page?.sessions ?? rows;
      subscriber.next();
    });
    subscriber.add(events$.subscribe(({ event }) => isHead(event) && subscriber.next()));
    subscriber.add(store?.changes$.subscribe(() => void list()));
    subscriber.next();
    if (store) void list();
  });
  return changes$.pipe(throttleTime(calm, asyncScheduler, { leading: true, trailing: true }), map(merge));
}

/** Whether an event may bring a session into the list, or to its top. */
function isHead({ type }: SessionEvent): boolean {
  return type === 'session.started' || type === 'run.started' || type === 'message.added';
}
