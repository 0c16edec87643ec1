import { useMemo, useState } from 'react';
import type { Agent } from '../core/agent.ts';
import { AgentError, fromErrorInfo, toAgentError } from '../core/error.ts';
import type { SessionStatus } from '../core/log/status.ts';
import type { StorageStatus } from '../core/log/writer.ts';
import type { Message } from '../core/message.ts';
import type { AgentSession, ApproveOptions, ChatInput, RejectOptions, RunOptions, RunResult } from '../core/session.ts';
import { useAgentContext } from './AgentContext.ts';
import { type PendingApproval, useApprovals } from './useApprovals.ts';
import { useObservable } from './useObservable.ts';
import { useSession } from './useSession.ts';

export interface UseChatOptions {
  /** The session to show. Without it the first `send` creates one, and the hook goes on with that. */
  readonly sessionId?: string | undefined;
  /** Told the id of the session that the first `send` created: the moment to put it into the address bar. */
  readonly onSessionCreated?: ((sessionId: string) => void) | undefined;
}

/**
 * What a chat can do. No verb throws or rejects: one that is refused resolves to `undefined` and leaves its reason in `error`.
 * The functions stay the same for as long as the session does, and always mean the session they were made for.
 */
export interface ChatVerbs {
  /** Asks the agent. Resolves when the run has come to rest. */
  readonly send: (input: string | ChatInput, options?: RunOptions) => Promise<RunResult | undefined>;
  readonly stop: () => void;
  readonly regenerate: (messageId?: string, options?: RunOptions) => Promise<RunResult | undefined>;
  readonly resume: (options?: RunOptions) => Promise<RunResult | undefined>;
  readonly approve: (callId: string, options?: ApproveOptions) => Promise<void>;
  readonly reject: (callId: string, options?: RejectOptions) => Promise<void>;
  /** Forgets why the last verb was refused. The error of a run stays until the next run. */
  readonly clearError: () => void;
}

export interface UseChatResult extends ChatVerbs {
  readonly session: AgentSession | undefined;
  readonly sessionId: string | undefined;
  readonly messages: readonly Message[];
  /** `idle` where there is no session yet. */
  readonly status: SessionStatus;
  /** Why the last verb was refused, else why the session could not be opened, else why the last run failed. */
  readonly error: AgentError | undefined;
  /** `undefined` where there is no session yet. */
  readonly storage: StorageStatus | undefined;
  readonly approvals: readonly PendingApproval[];
  /** Whether the session is being opened. */
  readonly isLoading: boolean;
}

/** Why a verb was refused, and where: it must not show in another session. */
interface Refusal {
  readonly sessionId: string | undefined;
  readonly error: AgentError;
}

const none: readonly Message[] = [];

/**
 * A conversation as state: what was said, what goes on, and what one can do about it.
 * A run goes on when the component goes, or shows another session.
 */
export function useChat({ sessionId: given, onSessionCreated }: UseChatOptions = {}): UseChatResult {
  const { agent } = useAgentContext();
  const [created, setCreated] = useState<{ readonly agent: Agent; readonly sessionId: string }>();
  // Back from another session, or with another agent, the chat begins anew.
  if (created && (given !== undefined || created.agent !== agent)) setCreated(undefined);
  const sessionId = given ?? (created?.agent === agent ? created.sessionId : undefined);

  const [refusal, setRefusal] = useState<Refusal>();
  if (refusal && refusal.sessionId !== sessionId) setRefusal(undefined);

  const onCreated = sessionId === undefined ? onSessionCreated : undefined;
  const verbs = useMemo(() => {
    const adopt = (newId: string): void => {
      setCreated({ agent, sessionId: newId });
      onCreated?.(newId);
    };
    return createVerbs(agent, sessionId, adopt, setRefusal);
  }, [agent, sessionId, onCreated]);

  const { session, status, error: openError, isLoading } = useSession(sessionId);
  const messages = useObservable(session?.messages$, () => session?.getMessages() ?? none);
  const storage = useObservable(session?.storage$, () => session?.getStorage());
  const failure = useObservable(session?.state$, () => session?.getState().run?.error);
  const runError = useMemo(() => failure && fromErrorInfo(failure), [failure]);

  return {
    session,
    sessionId,
    messages,
    status: status ?? 'idle',
    error: refusal?.error ?? openError ?? runError,
    storage,
    approvals: useApprovals(session),
    isLoading,
    ...verbs,
  };
}

function createVerbs(
  agent: Agent,
  given: string | undefined,
  adopt: (sessionId: string) => void,
  setRefusal: (refusal: Refusal | undefined) => void,
): ChatVerbs {
  let sessionId = given;

  async function attempt<T>(verb: () => Promise<T>): Promise<T | undefined> {
    setRefusal(undefined);
    try {
      return await verb();
    } catch (thrown) {
      setRefusal({ sessionId, error: toAgentError(thrown) });
      return undefined;
    }
  }

  function withSession<T>(verb: (session: AgentSession) => Promise<T>): Promise<T | undefined> {
    return attempt(async () => {
      if (sessionId === undefined) {
        throw new AgentError('There is no session yet: send something first.', { code: 'NOTHING_TO_RESUME' });
      }
      return verb(agent.getSession(sessionId) ?? (await agent.openSession(sessionId)));
    });
  }

  /** What is refused leaves no session behind. */
  async function begin(input: string | ChatInput, options: RunOptions | undefined): Promise<RunResult | undefined> {
    const newId = agent.createSession();
    try {
      const running = agent.getSession(newId)?.send(input, options);
      adopt((sessionId = newId));
      return running;
    } catch (thrown) {
      agent.removeSession(newId);
      throw thrown;
    }
  }

  return {
    send: (input, options) =>
      sessionId === undefined
        ? attempt(() => begin(input, options))
        : withSession((session) => session.send(input, options)),
    stop: () => {
      if (sessionId !== undefined) agent.cancel(sessionId);
    },
    regenerate: (messageId, options) => withSession((session) => session.regenerate(messageId, options)),
    resume: (options) => withSession((session) => session.resume(options)),
    approve: (callId, options) => withSession((session) => session.approve(callId, options)),
    reject: (callId, options) => withSession((session) => session.reject(callId, options)),
    clearError: () => setRefusal(undefined),
  };
}
