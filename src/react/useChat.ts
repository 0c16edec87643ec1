import { useMemo, useState } from 'react';
import type { Agent } from '../core/agent.ts';
import { AgentError, fromErrorInfo, toAgentError } from '../core/error.ts';
import type { Json } from '../core/json.ts';
import type { RunLimit, RunOutcome } from '../core/model/event.ts';
import type { QueuedMessage } from '../core/model/state.ts';
import type { SessionStatus } from '../core/model/status.ts';
import type { StorageStatus } from '../core/model/sync-state.ts';
import type { Message, ToolPart } from '../core/model/message.ts';
import type {
  AgentSession,
  AnswerOptions,
  ApproveOptions,
  ChatInput,
  DecisionOptions,
  RejectOptions,
  RunOptions,
  RunResult,
  SendOptions,
} from '../core/session/session.ts';
import { type AgentContextValue, useAgentContext } from './AgentContext.ts';
import { refreshDecisions } from './refreshApprovalRules.ts';
import { useApprovals } from './useApprovals.ts';
import { useObservable } from './useObservable.ts';
import { useSession } from './useSession.ts';

export interface UseChatOptions {
  /** The session to show. Without it the first `send` creates one, and the hook goes on with that. */
  readonly sessionId?: string | undefined;
  /** Told the id of the session that the first `send` created: the moment to put it into the address bar. */
  readonly onSessionCreated?: ((sessionId: string) => void) | undefined;
}

/**
 * What a chat can do. No verb throws or rejects: one that is refused resolves to `undefined` or `false` and leaves its
 * reason in `error`.
 * The functions stay the same for as long as the session does, and always mean the session they were made for.
 */
export interface ChatVerbs {
  /** Asks the agent. Resolves when the run that answers has come to rest; one that waits in `queue` has yet to begin. */
  readonly send: (input: string | ChatInput, options?: SendOptions) => Promise<RunResult | undefined>;
  /** Takes a message out of `queue`. */
  readonly unqueue: (messageId: string) => Promise<boolean>;
  readonly stop: () => void;
  readonly regenerate: (messageId?: string, options?: RunOptions) => Promise<RunResult | undefined>;
  readonly resume: (options?: RunOptions) => Promise<RunResult | undefined>;
  /** Resolves to whether the decision was taken. */
  readonly approve: (callId: string, options?: ApproveOptions) => Promise<boolean>;
  readonly reject: (callId: string, options?: RejectOptions) => Promise<boolean>;
  /** For a call that asks something: its `approval.question` is the JSON Schema of the answer. */
  readonly answer: (callId: string, answer: Json, options?: AnswerOptions) => Promise<boolean>;
  /** Forgets why the last verb was refused. The error of a run stays until the next run. */
  readonly clearError: () => void;
}

export interface UseChatResult extends ChatVerbs {
  readonly session: AgentSession | undefined;
  readonly sessionId: string | undefined;
  readonly messages: readonly Message[];
  /** `idle` where there is no session yet. */
  readonly status: SessionStatus;
  /** How the last run came to rest; `undefined` while one goes on, and before the first. */
  readonly outcome: RunOutcome | undefined;
  /** Which one the last run has come to, where `outcome` is `limit`. */
  readonly limit: RunLimit | undefined;
  /** Why the last verb was refused, else why the session could not be opened, else why the last run failed. */
  readonly error: AgentError | undefined;
  /** `undefined` where there is no session yet. */
  readonly storage: StorageStatus | undefined;
  /** What was sent while a run went on, and waits for its turn; oldest first. */
  readonly queue: readonly QueuedMessage[];
  /** The calls that wait for a person's decision, or their answer. */
  readonly approvals: readonly ToolPart[];
  /** Whether the session is being opened. */
  readonly isLoading: boolean;
}

/** Why a verb was refused, and where: it must not show in another session. */
interface Refusal {
  readonly sessionId: string | undefined;
  readonly error: AgentError;
}

const none: readonly never[] = [];

/**
 * A conversation as state: what was said, what goes on, and what one can do about it.
 * A run goes on when the component goes, or shows another session.
 *
 * Renders its component once a frame while a reply streams; a list that must not uses `useMessageIds` and `useMessage`.
 */
export function useChat({ sessionId: given, onSessionCreated }: UseChatOptions = {}): UseChatResult {
  const context = useAgentContext();
  const { agent } = context;
  const [created, setCreated] = useState<{ readonly agent: Agent; readonly sessionId: string }>();
  // Back from another session, or with another agent, the chat begins anew.
  if (created && (given !== undefined || created.agent !== agent)) setCreated(undefined);
  const sessionId = given ?? created?.sessionId;

  const [refusal, setRefusal] = useState<Refusal>();
  if (refusal && refusal.sessionId !== sessionId) setRefusal(undefined);

  const onCreated = sessionId === undefined ? onSessionCreated : undefined;
  const verbs = useMemo(() => {
    const adopt = (newId: string): void => {
      setCreated({ agent, sessionId: newId });
      onCreated?.(newId);
    };
    return createVerbs(context, sessionId, adopt, setRefusal);
  }, [agent, context, sessionId, onCreated]);

  const { session, status = 'idle', error: openError, isLoading } = useSession(sessionId);
  const state = useObservable(session?.state$, () => session?.getState());
  const failure = state?.run?.error;
  const runError = useMemo(() => failure && fromErrorInfo(failure), [failure]);

  return {
    session,
    sessionId,
    messages: state?.messages ?? none,
    status,
    outcome: state?.run?.outcome,
    limit: state?.run?.limit,
    error: refusal?.error ?? openError ?? runError,
    storage: useObservable(session?.storage$, () => session?.getStorage()),
    queue: state?.queue ?? none,
    approvals: useApprovals(session),
    isLoading,
    ...verbs,
  };
}

function createVerbs(
  { agent, queryClient }: AgentContextValue,
  given: string | undefined,
  adopt: (sessionId: string) => void,
  setRefusal: (refusal: Refusal | undefined) => void,
): ChatVerbs {
  let sessionId = given;

  async function attempt<T>(
    verb: (session: AgentSession) => Promise<T>,
    begin?: () => Promise<T>,
  ): Promise<T | undefined> {
    setRefusal(undefined);
    try {
      if (sessionId !== undefined)
        return await verb(agent.getSession(sessionId) ?? (await agent.openSession(sessionId)));
      if (begin) return await begin();
      throw new AgentError('There is no session yet: send something first.', { code: 'NOTHING_TO_RESUME' });
    } catch (thrown) {
      setRefusal({ sessionId, error: toAgentError(thrown) });
      return undefined;
    }
  }

  /** What is refused leaves no session behind. */
  async function begin(input: string | ChatInput, options?: SendOptions): Promise<RunResult | undefined> {
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

  const did = async (verb: (session: AgentSession) => Promise<void> | void): Promise<boolean> =>
    (await attempt(async (session) => {
      await verb(session);
      return true;
    })) ?? false;

  const decide = async (
    options: DecisionOptions | undefined,
    verb: (session: AgentSession) => Promise<void>,
  ): Promise<boolean> => {
    const taken = await did(verb);
    if (options?.remember === 'agent') void refreshDecisions(agent, queryClient);
    return taken;
  };

  return {
    send: (...what) =>
      attempt(
        (session) => session.send(...what),
        () => begin(...what),
      ),
    unqueue: (messageId) => did((session) => session.unqueue(messageId)),
    stop: () => {
      if (sessionId !== undefined) agent.cancel(sessionId);
    },
    regenerate: (...what) => attempt((session) => session.regenerate(...what)),
    resume: (...what) => attempt((session) => session.resume(...what)),
    approve: (...what) => decide(what[1], (session) => session.approve(...what)),
    reject: (...what) => decide(what[1], (session) => session.reject(...what)),
    answer: (...what) => did((session) => session.answer(...what)),
    clearError: () => setRefusal(undefined),
  };
}
