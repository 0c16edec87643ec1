import { Observable } from 'rxjs';
import { current } from '../log/current.ts';
import { getRetry, type Retry, retryChanges$ } from '../retries.ts';
import { type SessionStatus, statusOf } from '../model/status.ts';
import { createApprovals } from './approvals.ts';
import type { SessionEnv } from './session-env.ts';
import type { AgentSession } from './session.ts';
import { withBelow } from './with-below.ts';

type Streams = 'approvals$' | 'messages$' | 'status$' | 'state$' | 'storage$' | 'events$' | 'context$' | 'retrying$';
type Getters = 'getApprovals' | 'getMessages' | 'getStatus' | 'getState' | 'getStorage' | 'getContext' | 'getRetrying';

export interface Views {
  /** The streams and getters of `AgentSession`. */
  readonly views: Readonly<Record<'id', string>> & { readonly [Name in Streams | Getters]: AgentSession[Name] };
  /** Whether one of the streams has a subscriber: the session then stays in memory. */
  isWatched(): boolean;
}

/** Creates the streams and getters of a session, and counts the subscribers. */
export function createViews(env: SessionEnv): Views {
  const { log, link, context } = env;
  const { approvals$, getApprovals } = createApprovals(env);
  const { getState } = log;
  const getRetrying = (): Retry | undefined => getRetry(getState().id);
  let watchers = 0;

  /** A session whose calls all wait for a person in the sessions below waits, too. */
  function getStatus(): SessionStatus {
    const state = getState();
    return state.children && env.tree?.isWaiting() ? 'waiting' : statusOf(state);
  }

  const statusChanges$ = withBelow(log.view(statusOf), env.tree);

  function watched<T>(values$: Observable<T>): Observable<T> {
    return new Observable((subscriber) => {
      watchers++;
      subscriber.add(() => watchers--);
      subscriber.add(values$.subscribe(subscriber));
    });
  }

  return {
    views: {
      id: getState().id,
      messages$: watched(log.view((state) => state.messages)),
      getMessages: () => getState().messages,
      approvals$: watched(approvals$),
      getApprovals,
      status$: watched(current(statusChanges$, getStatus)),
      getStatus,
      state$: watched(log.view((state) => state)),
      getState,
      storage$: watched(current(link.status$, link.getStatus)),
      getStorage: link.getStatus,
      events$: watched(log.events$),
      context$: watched(log.view(context.report)),
      getContext: () => (context.isNeeded(getState()) ? context.report(getState()) : undefined),
      retrying$: watched(
        new Observable((subscriber) => {
          subscriber.add(current(retryChanges$, getRetrying).subscribe(subscriber));
          subscriber.add(log.events$.subscribe({ complete: () => subscriber.complete() }));
        }),
      ),
      getRetrying,
    },
    isWatched: () => watchers > 0,
  };
}
