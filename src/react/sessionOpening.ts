import { Observable, Subject } from 'rxjs';
import type { Agent } from '../core/agent/agent.ts';
import { type AgentError, toAgentError } from '../core/error.ts';
import type { Message } from '../core/model/message.ts';
import type { AgentSession } from '../core/session/session.ts';
import { readLatest } from './readLatest.ts';

/** What is known of a session that is not in memory. */
export interface OpeningState {
  /** Why the last attempt failed; missing before the first attempt and during an attempt. */
  readonly error?: AgentError;
  /** The last messages of a long session while the store reads the whole. */
  readonly latestMessages?: readonly Message[];
}

/** The reading of one session from the store, shared by all components that show the session. */
export interface SessionOpening {
  /** Subscribing opens the session. Emits when the session is in memory, and when `getState()` changes. */
  readonly changes$: Observable<void>;
  /** The same, except that subscribing creates a session that was never stored. */
  readonly creation$: Observable<void>;
  readonly getState: () => OpeningState;
  /**
   * Opens the session, or joins the attempt in progress. Rejects with the `AgentError` of `agent.openSession`.
   *
   * @param create as in `OpenOptions`
   */
  readonly open: (create?: boolean) => Promise<AgentSession>;
}

const openings = new WeakMap<Agent, Map<string, SessionOpening>>();

/** Returns the one opening of this session. It is kept as long as the agent: a hook needs the same object at every render. */
export function sessionOpening(agent: Agent, sessionId: string): SessionOpening {
  const ofAgent = openings.get(agent) ?? new Map<string, SessionOpening>();
  const opening = ofAgent.get(sessionId) ?? createOpening(agent, sessionId);
  openings.set(agent, ofAgent.set(sessionId, opening));
  return opening;
}

const unknown: OpeningState = {};

function createOpening(agent: Agent, sessionId: string): SessionOpening {
  const changes = new Subject<void>();
  let state = unknown;
  let attempt: { readonly opened: Promise<AgentSession>; readonly create: boolean } | undefined;

  function change(to: OpeningState): void {
    state = to;
    changes.next();
  }

  function settle(ended: typeof attempt, error?: AgentError): void {
    // A later attempt may create the session, and takes the place of one that may not.
    if (attempt !== ended) return;
    attempt = undefined;
    // The error is for the components that are mounted now: a later component opens the session again.
    change(error && changes.observed ? { error } : unknown);
  }

  /** Reads the end of a long session before the whole: a store that reads both at once delivers both late. */
  async function readInSteps(create: boolean): Promise<AgentSession> {
    const latest = await readLatest(agent.store, sessionId);
    if (latest && !agent.getSession(sessionId)) change({ latestMessages: latest });
    return agent.openSession(sessionId, { create });
  }

  function open(create = false): Promise<AgentSession> {
    if (attempt && (attempt.create || !create)) return attempt.opened;
    const isLong = agent.store?.readLatest && !agent.getSession(sessionId);
    const opened = isLong ? readInSteps(create) : agent.openSession(sessionId, { create });
    const begun = { opened, create };
    attempt = begun;
    opened.then(
      () => settle(begun),
      (thrown: unknown) => settle(begun, toAgentError(thrown)),
    );
    if (state.error !== undefined) change(unknown);
    return opened;
  }

  const openingChanges = (create: boolean): Observable<void> =>
    new Observable((subscriber) => {
      const subscription = changes.subscribe(subscriber);
      // The rejection is in `getState()`.
      open(create).catch(() => {});
      return () => {
        subscription.unsubscribe();
        if (state.error !== undefined && !changes.observed) state = unknown;
      };
    });

  return {
    changes$: openingChanges(false),
    creation$: openingChanges(true),
    getState: () => state,
    open,
  };
}
