import { named } from '../core/model/shapes/named.ts';
import type { Agent, ToolsOf } from '../core/agent/agent.ts';
import type { AgentError } from '../core/error.ts';
import type { ToolTypes } from '../core/model/call.ts';
import type { Message } from '../core/model/message.ts';
import type { SessionStatus } from '../core/model/status.ts';
import type { AgentSession } from '../core/session/session.ts';
import { type OpeningState, sessionOpening } from './sessionOpening.ts';
import { useAgent } from './useAgent.ts';
import { useObservable } from './useObservable.ts';

/** Result of `useSession`. */
export interface UseSessionResult<Tools extends ToolTypes = ToolTypes> {
  /** The session: at the first render if it is in memory, else once the store has returned it. */
  readonly session: AgentSession<Tools> | undefined;
  readonly status: SessionStatus | undefined;
  /** Why the session could not be opened: `SESSION_REMOVED`, without `create` `SESSION_NOT_FOUND`, `INVALID_INPUT` for an id that is none, or the store's error. */
  readonly error: AgentError | undefined;
  /** Whether the session is being opened. */
  readonly isLoading: boolean;
  /** The last messages of a long session while it is being opened, from a store that has `readLatest`; else `undefined`. */
  readonly latestMessages: readonly Message<Tools>[] | undefined;
}

/** Options of `useSession` and of `useSuspenseSession`. */
export interface UseSessionOptions {
  /** Whether an id that was never stored becomes a new, empty session: see `OpenOptions.create`. Default `false`. */
  readonly create?: boolean | undefined;
}

/**
 * Returns one session by its id, opened if necessary. Without an id there is no session, and nothing loads.
 * Unmounting closes and cancels nothing: the session belongs to the agent.
 *
 * After an error the session is opened again by the next action of `useChat`, by another mount, or by another id.
 *
 *     const { session, isLoading, error } = useSession<typeof agent>(sessionId);
 */
export function useSession<AppAgent extends Agent = Agent>(
  sessionId: string | undefined,
  options?: UseSessionOptions,
): UseSessionResult<ToolsOf<AppAgent>>;
export function useSession(sessionId: string | undefined, options: UseSessionOptions = {}): UseSessionResult {
  // React Compiler would keep the result of `find`: which sessions are in memory is not a state of React.
  'use no memo';
  const { create = false } = named(options, { create: true }, 'useSession');
  const agent = useAgent();
  const find = (): AgentSession | undefined => (sessionId === undefined ? undefined : agent.getSession(sessionId));
  const opening = sessionId === undefined ? undefined : sessionOpening(agent, sessionId);

  // The streams of a session complete when the session leaves the memory. It is then searched, and opened, again.
  const changes$ = create ? opening?.creation$ : opening?.changes$;
  const found = useObservable(find()?.status$ ?? changes$, () => find() ?? opening?.getState());
  const isOpen = found !== undefined && 'status$' in found;
  const session = isOpen ? found : undefined;
  const { error, latestMessages }: OpeningState = isOpen ? {} : (found ?? {});
  const status = useObservable(session?.status$, () => session?.getStatus());
  return { session, status, error, isLoading: sessionId !== undefined && !isOpen && !error, latestMessages };
}
