import { named } from '../core/model/shapes/named.ts';
import { useEffect } from 'react';
import type { Agent, ToolsOf } from '../core/agent/agent.ts';
import { type AgentError, toAgentError } from '../core/error.ts';
import type { AgentSession } from '../core/session/session.ts';
import type { ToolTypes } from '../core/model/call.ts';
import { useAgent } from './useAgent.ts';
import { useObservable } from './useObservable.ts';
import type { UseSessionOptions } from './useSession.ts';

/** Result of `useSuspenseSession`: the session, or why it could not be opened. */
export type SuspenseSession<Tools extends ToolTypes = ToolTypes> =
  | { readonly session: AgentSession<Tools>; readonly error: undefined }
  | { readonly session: undefined; readonly error: AgentError };

interface Attempt {
  readonly settled: Promise<void>;
  error?: AgentError;
}

/** Attempts that are under way, and those that have failed while a component shows the error. */
const attempts = new WeakMap<Agent, Map<string, Attempt>>();

/**
 * Returns a session by its id, and suspends the component while the session is opened. Throws no error: a session that cannot be opened is
 * tried again when the component that has shown the error is mounted again.
 *
 *     <Suspense fallback={<Spinner />}><Chat sessionId={id} /></Suspense>
 *
 *     const { session, error } = useSuspenseSession<typeof agent>(sessionId);
 *
 * @throws AgentError `INVALID_CONFIG` outside of an `AgentProvider`
 */
export function useSuspenseSession<AppAgent extends Agent = Agent>(
  sessionId: string,
  options?: UseSessionOptions,
): SuspenseSession<ToolsOf<AppAgent>>;
export function useSuspenseSession(sessionId: string, options: UseSessionOptions = {}): SuspenseSession {
  // As in `useSession`.
  'use no memo';
  const { create = false } = named(options, { create: true }, 'useSuspenseSession');
  const agent = useAgent();
  const find = (): AgentSession | undefined => agent.getSession(sessionId);
  // The streams of a session complete when the session leaves the memory. It is then opened again.
  const session = useObservable(find()?.status$, find);
  useEffect(() => () => void attempts.get(agent)?.delete(sessionId), [agent, sessionId]);
  if (session) return { session, error: undefined };
  const { error, settled } = attemptOf(agent, sessionId, create);
  // React suspends a component that throws a promise.
  // oxlint-disable-next-line typescript/only-throw-error
  if (error === undefined) throw settled;
  return { session: undefined, error };
}

function attemptOf(agent: Agent, sessionId: string, create: boolean): Attempt {
  const ofAgent = attempts.get(agent) ?? new Map<string, Attempt>();
  attempts.set(agent, ofAgent);
  const known = ofAgent.get(sessionId);
  if (known) return known;
  const attempt: Attempt = {
    settled: agent.openSession(sessionId, { create }).then(
      () => void ofAgent.delete(sessionId),
      (thrown: unknown) => void (attempt.error = toAgentError(thrown)),
    ),
  };
  ofAgent.set(sessionId, attempt);
  return attempt;
}
