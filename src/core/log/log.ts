import { type Observable, Subject } from 'rxjs';
import { freeze } from '../freeze.ts';
import type { Ports } from '../ports.ts';
import { add } from '../model/coalesce.ts';
import { current } from './current.ts';
import { type EventBody, eventVersion, isDelta, isTransient, type SessionEvent } from '../model/event.ts';
import { createFolding } from '../model/folding.ts';
import { createFramePacer } from './frame-pacer.ts';
import type { RecentState, SessionState } from '../model/state.ts';
import { frameEvents } from '../model/view-urgency.ts';

/** One session's log: appends events, folds them into the state, notifies subscribers. */
export interface Log {
  append(body: EventBody): SessionEvent;
  /** Appends several events as one change: subscribers are notified of the first event when all of them are in the state. */
  appendAll(bodies: readonly EventBody[]): void;
  /** Calls `work`, and notifies the views once of all events that `work` appended. */
  batch<T>(work: () => T): T;
  /** Adds events that another tab has stored: those above the last event of this log. */
  accept(events: readonly SessionEvent[]): void;
  /** Continues from a stored state, and publishes its new events; events of this log that are not stored are dropped. */
  reset(state: SessionState, newEvents: readonly SessionEvent[]): void;
  /** The state after every event appended so far. */
  getState(): SessionState;
  /**
   * The recent part of the state, without deltas that wait: what the next step and the status follow from, at a cost that does not grow with
   * the number of messages.
   */
  peek(): RecentState;
  /** Whether the session has a message or a call with this id; the cost does not grow with the number of messages. */
  hasMessage(id: string): boolean;
  /** Emits every event from the subscription on, synchronously and in order. */
  readonly events$: Observable<SessionEvent>;
  /** A view of the state: emits the current value, then each new value (by `===`) at the time that `frameEvents` states. */
  view<T>(select: (state: SessionState) => T): Observable<T>;
  /** Like `view`, but of what `peek` returns, and evaluated once at the end of a turn. For values that no person sees. */
  viewTurns<T>(select: (state: RecentState) => T): Observable<T>;
  /** Notifies the views of the last changes and completes every stream. */
  close(): void;
}

/**
 * Creates a log that continues from a state.
 *
 * @param record called with each event that is to be stored, before subscribers are notified of the event
 * @param throttle see `AgentOptions.throttle`
 * @param protect called with each event and each new state. A replay that only this package reads protects its result once, at its end.
 */
export function createLog(
  start: SessionState,
  ports: Pick<Ports, 'now' | 'frame' | 'delay'>,
  record: (event: SessionEvent) => void,
  throttle?: number,
  protect: typeof freeze = freeze,
): Log {
  let folding = createFolding(start);
  /** `seq` of the last event that is folded. */
  let { seq: folded } = freeze(start);
  /** Deltas, joined, that are not folded yet: a token costs one push, a frame costs one fold. */
  const pending: SessionEvent[] = [];
  /** Number of batches under way. */
  let batches = 0;
  /** Whether the views have to be notified when the batch ends. */
  let notifyPending = false;
  let isTurnOpen = false;
  const events = new Subject<SessionEvent>();
  const changes = new Subject<void>();
  const turns = new Subject<void>();
  /** Events that are being published. */
  const outbox: SessionEvent[] = [];
  const { want, done } = createFramePacer(ports, () => changes.next(), throttle);

  /** Folds the pending events, then these. */
  function take(events: readonly SessionEvent[] = []): void {
    for (const event of pending.splice(0).concat(events)) folded = protect(folding.add(event)).seq;
  }

  function settle(): SessionState {
    take();
    const whole = folding.getState();
    return protect(whole, whole.messages);
  }

  // Pending events neither start nor end a run, nor a call.
  const peek = (): RecentState => protect(folding.getRecent());

  function notifyViews(): void {
    notifyPending = false;
    done();
    changes.next();
  }

  function endTurnSoon(): void {
    if (isTurnOpen) return;
    isTurnOpen = true;
    queueMicrotask(() => {
      isTurnOpen = false;
      turns.next();
    });
  }

  function notify(event: SessionEvent): void {
    events.next(event);
    if (isDelta(event)) return want(event.text.length);
    endTurnSoon();
    if (frameEvents.has(event.type)) want(0);
    else if (batches > 0) notifyPending = true;
    else notifyViews();
  }

  /** Invariant: all subscribers receive all events in one order, although a subscriber may append while it is being notified. */
  function publish(events: readonly SessionEvent[]): void {
    const isPublishing = outbox.length > 0;
    for (const event of events) outbox.push(event);
    if (isPublishing) return;
    // Also the events that are added meanwhile.
    for (const event of outbox) notify(event);
    outbox.length = 0;
  }

  function enter(body: EventBody): SessionEvent {
    const isKept = !isTransient(body);
    const { seq } = pending.at(-1) ?? { seq: folded };
    const event: SessionEvent = protect({ ...body, seq: isKept ? seq + 1 : seq, at: ports.now(), v: eventVersion });
    if (isDelta(event)) add(pending, event);
    // Invariant: an event that cannot be folded is not recorded.
    else take([event]);
    if (isKept) record(event);
    return event;
  }

  function batch<T>(work: () => T): T {
    batches++;
    try {
      return work();
    } finally {
      batches--;
      if (batches === 0 && notifyPending) notifyViews();
    }
  }

  /** Publishes the events that led to the state. Invariant: no subscriber appends to a state in between. */
  function announce(events: readonly SessionEvent[]): void {
    batch(() => {
      notifyPending = true;
      publish(events);
      endTurnSoon();
    });
  }

  return {
    append(body) {
      const event = enter(body);
      publish([event]);
      return event;
    },
    appendAll: (bodies) => batch(() => publish(bodies.map(enter))),
    batch,
    accept(stored) {
      take(stored);
      announce(stored);
    },
    reset(to, newEvents) {
      pending.length = 0;
      folding = createFolding(to);
      folded = freeze(to).seq;
      announce(newEvents);
    },
    getState: settle,
    peek,
    hasMessage(id) {
      take();
      return folding.hasId(id);
    },
    events$: events.asObservable(),
    view: (select) => current(changes, () => select(settle())),
    viewTurns: (select) => current(turns, () => select(peek())),
    close() {
      notifyViews();
      events.complete();
      changes.complete();
      turns.complete();
    },
  };
}
