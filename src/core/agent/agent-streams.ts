import { Observable, Subject } from 'rxjs';
import { defined } from '../json.ts';
import { current } from '../log/current.ts';
import { isDelta, type SessionEvent } from '../model/event.ts';
import type { SessionState } from '../model/state.ts';
import { callsAwaitingApproval } from '../model/status.ts';
import { waitingCalls } from '../model/waiting.ts';
import type { AgentSession } from '../session/session.ts';
import type { Agent, AgentEvent, PendingCall } from './agent.ts';
import type { StoredPending } from './stored-pending.ts';

/** The streams over all sessions of an agent. */
interface AgentStreams extends Pick<Agent, 'events$' | 'pending$' | 'getPending'> {
  /** Follows a session that has been opened. */
  follow(sessionId: string, events$: Observable<SessionEvent>): void;
  /** Called when a session has been opened or closed, and when the waiting calls of stored sessions have changed. */
  noteSessions(): void;
  /** Completes the streams. */
  close(): void;
}

/** @param stored the waiting calls of sessions that are not in memory */
export function createAgentStreams(
  sessions: ReadonlyMap<string, Pick<AgentSession, 'getState'>>,
  stored: Pick<StoredPending, 'getCalls' | 'watch'>,
): AgentStreams {
  const events = new Subject<AgentEvent>();
  const changes = new Subject<void>();
  let pending: readonly PendingCall[] = [];

  /** Invariant: the same array for as long as the calls are the same. */
  function getPending(): readonly PendingCall[] {
    const open = Array.from(sessions.values(), ({ getState }) => callsOf(getState())).flat();
    const found = [...open, ...stored.getCalls()].sort((one, other) => one.requestedAt - other.requestedAt);
    const kept = found.map((one, index) => {
      const [before = one] = [pending[index]];
      return isSame(before, one) ? before : (pending.find((other) => isSame(other, one)) ?? one);
    });
    const isKept = kept.length === pending.length && kept.every((one, index) => one === pending[index]);
    return isKept ? pending : (pending = kept);
  }

  const pending$ = current(changes, getPending);

  return {
    events$: events.asObservable(),
    pending$: new Observable((subscriber) => {
      subscriber.add(stored.watch());
      return pending$.subscribe(subscriber);
    }),
    getPending,
    follow(sessionId, events$) {
      events$.subscribe((event) => {
        if (events.observed) events.next({ sessionId, event });
        if (!isDelta(event) && changes.observed) changes.next();
      });
    },
    noteSessions: () => changes.next(),
    close() {
      events.complete();
      changes.complete();
    },
  };
}

/** Returns the waiting calls of a session in memory. */
function callsOf(state: SessionState): readonly PendingCall[] {
  const calls = callsAwaitingApproval(state);
  if (calls.length === 0) return [];
  const { id: sessionId, title, path } = state;
  const facts = waitingCalls(state);
  return calls.flatMap((call, index) => {
    const fact = facts[index];
    return fact ? [{ isOpen: true, sessionId, title, ...defined({ path }), ...fact, call } as const] : [];
  });
}

/** Whether two entries say the same: of a call in memory, the whole call. */
function isSame(one: PendingCall, other: PendingCall): boolean {
  return (
    one.isOpen === other.isOpen &&
    one.sessionId === other.sessionId &&
    one.callId === other.callId &&
    one.call === other.call &&
    one.title === other.title &&
    one.requestedAt === other.requestedAt
  );
}
