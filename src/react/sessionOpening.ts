import { Observable } from 'rxjs';
import type { Agent } from '../core/agent/agent.ts';
import { createEmitter } from '../core/emitter.ts';
import { type AgentError, toAgentError } from '../core/error.ts';
import type { AgentSession } from '../core/session/session.ts';

/** The reading of one session from the store, shared by all components that show the session. */
export interface SessionOpening {
  /** Subscribing opens the session. Emits when the session is in memory, and when `getError()` changes. */
  readonly changes$: Observable<void>;
  /** Why the last attempt failed; `undefined` before the first attempt and during an attempt. */
  readonly getError: () => AgentError | undefined;
  /** Opens the session, or joins the attempt in progress. Rejects with the `AgentError` of `agent.openSession`. */
  readonly open: () => Promise<AgentSession>;
}

const openings = new WeakMap<Agent, Map<string, SessionOpening>>();

/** Returns the one opening of this session. It is kept as long as the agent: a hook needs the same object at every render. */
export function sessionOpening(agent: Agent, sessionId: string): SessionOpening {
  const ofAgent = openings.get(agent) ?? new Map<string, SessionOpening>();
  const opening = ofAgent.get(sessionId) ?? createOpening(agent, sessionId);
  openings.set(agent, ofAgent.set(sessionId, opening));
  return opening;
}

function createOpening(agent: Agent, sessionId: string): SessionOpening {
  const changes = createEmitter<void>();
  let error: AgentError | undefined;
  let attempt: Promise<AgentSession> | undefined;

  function settle(newError?: AgentError): void {
    // The error is for the components that are mounted now: a later component opens the session again.
    error = changes.isObserved() ? newError : undefined;
    attempt = undefined;
    changes.next();
  }

  function open(): Promise<AgentSession> {
    if (attempt !== undefined) return attempt;
    attempt = agent.openSession(sessionId);
    attempt.then(
      () => settle(),
      (thrown: unknown) => settle(toAgentError(thrown)),
    );
    if (error !== undefined) {
      error = undefined;
      changes.next();
    }
    return attempt;
  }

  return {
    changes$: new Observable((subscriber) => {
      const subscription = changes.stream$.subscribe(subscriber);
      // The rejection is in `getError()`.
      open().catch(() => {});
      return () => {
        subscription.unsubscribe();
        if (!changes.isObserved()) error = undefined;
      };
    }),
    getError: () => error,
    open,
  };
}
