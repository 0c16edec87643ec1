import type { Observable } from 'rxjs';
import { createEmitter } from '../emitter.ts';
import { current } from '../log/current.ts';
import { isDelta, type SessionEvent } from '../model/event.ts';
import { callsAwaitingApproval } from '../model/status.ts';
import type { AgentSession } from '../session/session.ts';
import type { Agent, AgentEvent, PendingCall } from './agent.ts';

/** The streams over all open sessions of an agent. */
interface AgentStreams extends Pick<Agent, 'events$' | 'pending$' | 'getPending'> {
  /** Follows a session that has been opened. */
  follow(sessionId: string, events$: Observable<SessionEvent>): void;
  /** Called when a session has been opened or closed. */
  noteSessions(): void;
  /** Completes the streams. */
  close(): void;
}

export function createAgentStreams(sessions: ReadonlyMap<string, Pick<AgentSession, 'getState'>>): AgentStreams {
  const events = createEmitter<AgentEvent>();
  const changes = createEmitter<void>();
  let pending: readonly PendingCall[] = [];

  /** Invariant: the same array for as long as the calls are the same. */
  function getPending(): readonly PendingCall[] {
    const found = Array.from(sessions, ([sessionId, { getState }]) =>
      callsAwaitingApproval(getState()).map((call) => ({ sessionId, call })),
    ).flat();
    const isSame = found.length === pending.length && found.every(({ call }, index) => call === pending[index]?.call);
    return isSame ? pending : (pending = found);
  }

  return {
    events$: events.stream$,
    pending$: current(changes.stream$, getPending),
    getPending,
    follow(sessionId, events$) {
      events$.subscribe((event) => {
        if (events.isObserved()) events.next({ sessionId, event });
        if (!isDelta(event) && changes.isObserved()) changes.next();
      });
    },
    noteSessions: changes.next,
    close() {
      events.complete();
      changes.complete();
    },
  };
}
