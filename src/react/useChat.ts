import { named, type OptionNames } from '../core/model/shapes/named.ts';
import { useEffect, useMemo, useState } from 'react';
import type { Agent, ToolsOf } from '../core/agent/agent.ts';
import { type AgentError, fromErrorInfo } from '../core/error.ts';
import type { RunLimit, RunOutcome } from '../core/model/event.ts';
import type { ToolTypes } from '../core/model/call.ts';
import type { Message, ToolPart } from '../core/model/message.ts';
import type { QueuedMessage } from '../core/model/state.ts';
import type { SessionStatus } from '../core/model/status.ts';
import { isCut, type PendingResume } from '../core/model/auto-resume.ts';
import type { StorageStatus } from '../core/model/sync-state.ts';
import type { Retry } from '../core/retries.ts';
import type { AgentSession } from '../core/session/session.ts';
import { type ChatActions, createChatActions, type Refusal } from './createChatActions.ts';
import { createListening } from './createListening.ts';
import type { UseChatOptions } from './UseChatOptions.ts';
import { useAgent } from './useAgent.ts';
import { useApprovals } from './useApprovals.ts';
import { useObservable } from './useObservable.ts';
import { useSession } from './useSession.ts';
import { useStorageStatus } from './useStorageStatus.ts';
import { wakeStore } from './wakeStore.ts';

/** Result of `useChat`: the state of the session, and the actions. */
export interface UseChatResult<Tools extends ToolTypes = ToolTypes> extends ChatActions<Tools> {
  /** `undefined` before the session exists, and while the session is being opened. */
  readonly session: AgentSession<Tools> | undefined;
  readonly sessionId: string | undefined;
  /** The messages, oldest first. Of a long session that is being opened: its last messages, where the store has `readLatest`. */
  readonly messages: readonly Message<Tools>[];
  /** `idle` if there is no session yet. */
  readonly status: SessionStatus;
  /** Whether the model has been asked and nothing of its answer has arrived. */
  readonly isSubmitted: boolean;
  /** Whether a reply is arriving. Neither `isSubmitted` nor `isStreaming` during a call of a tool. */
  readonly isStreaming: boolean;
  /** How the last run ended; `undefined` during a run, and before the first run. */
  readonly outcome: RunOutcome | undefined;
  /** Whether the last run was cut: the connection was lost or the page was left. Nothing is lost, and `resume` continues. */
  readonly isCut: boolean;
  /** The run that was cut and continues by itself (`autoResume` of the agent), while it waits; `stop` ends the wait. */
  readonly resuming: PendingResume | undefined;
  /** The limit that the last run reached, if `outcome` is `limit`. */
  readonly limit: RunLimit | undefined;
  /**
   * Why the last action was refused, else why the session could not be opened, else why it can only be read (its log is damaged, or of a
   * newer version of the page), else why the last run failed.
   */
  readonly error: AgentError | undefined;
  /** Messages that were sent during a run and wait for their turn, oldest first. */
  readonly queue: readonly QueuedMessage[];
  /** Calls that wait for an approval, or for the answer to an elicitation. */
  readonly approvals: readonly ToolPart<Tools>[];
  /** The request that failed and waits for its next attempt: "trying again in 3 s (2 of 3)"; `undefined` while none waits. */
  readonly retrying: Retry | undefined;
  /** Whether the agent has a client. Without one `send` is refused with `MISSING_CLIENT`, and the draft stays: offer the choice of a model. */
  readonly hasClient: boolean;
  /** Whether the session is being opened. */
  readonly isLoading: boolean;
}

const none: readonly never[] = [];

const chatNames: OptionNames<UseChatOptions> = {
  sessionId: true,
  create: true,
  onSessionCreated: true,
  initialMessages: true,
  onFinish: true,
  onError: true,
  onToolCall: true,
  onApproval: true,
};

/** Why a session can only be read: its log is damaged, or of a newer version of the page. */
const toDamage = (status: StorageStatus): AgentError | undefined =>
  status.state === 'read-only' ? status.error : undefined;

/**
 * Returns a conversation as state, and the actions on it. Needs an `AgentProvider` above, and nothing else.
 * A run continues when the component unmounts or shows another session.
 *
 * The component is rendered at most once a frame while a reply streams. A long list that must not be rendered that
 * often uses `useMessageIds` and `useMessage`. Whether the session is stored is in `useStorageStatus`, because it changes with each write.
 *
 *     const { messages, status, error, send, stop } = useChat({ sessionId });
 *
 * With the type of the agent, the calls in `messages` and `approvals` have the types of their tools (see `ToolPart`):
 *
 *     const { messages, approvals } = useChat<typeof agent>({ sessionId });
 *
 * @throws AgentError `INVALID_CONFIG` outside of an `AgentProvider`
 */
export function useChat<AppAgent extends Agent = Agent>(
  options?: UseChatOptions<ToolsOf<AppAgent>>,
): UseChatResult<ToolsOf<AppAgent>>;
export function useChat(options: UseChatOptions = {}): UseChatResult {
  const { sessionId: givenId, initialMessages = none, create } = named(options, chatNames, 'useChat');
  const agent = useAgent();
  const [created, setCreated] = useState<{ readonly agent: Agent; readonly sessionId: string }>();
  // After another session was shown, or with another agent, the chat starts without a session.
  if (created && (givenId !== undefined || created.agent !== agent)) setCreated(undefined);
  const sessionId = givenId ?? created?.sessionId;

  const [refusal, setRefusal] = useState<Refusal>();
  const hasClient = useObservable(agent.client$, agent.getClient) !== undefined;
  // What was missing is there: the draft has stayed, and can be sent.
  const isCured = hasClient && refusal?.error.code === 'MISSING_CLIENT';
  if (refusal && (isCured || refusal.sessionId !== sessionId)) setRefusal(undefined);

  const [latest] = useState(() => createLatest(options));
  useEffect(() => latest.set(options));
  const [follow] = useState(() => createListening(latest.get));
  const actions = useMemo(
    () =>
      createChatActions({
        agent,
        sessionId,
        getOptions: latest.get,
        onCreate: follow,
        onCreated: (newId) => setCreated({ agent, sessionId: newId }),
        onRefusal: setRefusal,
      }),
    [agent, sessionId, latest, follow],
  );

  const { session, status = 'idle', error: openError, isLoading, latestMessages } = useSession(sessionId, { create });
  const state = useObservable(session?.state$, () => session?.getState());
  const damage = useStorageStatus(session, toDamage);
  useEffect(() => {
    follow(session);
    return () => follow(undefined);
  }, [follow, session]);
  useEffect(() => {
    if (sessionId === undefined) wakeStore(agent);
  }, [agent, sessionId]);
  const resuming = useObservable(session?.resuming$, () => session?.getResuming());
  const retrying = useObservable(session?.retrying$, () => session?.getRetrying());
  const approvals = useApprovals(session);
  const last = state?.messages.at(-1);
  const isOpen = last?.status === 'streaming';
  const isStreaming = isOpen && last.content.length > 0;
  const failure = state?.run?.error;
  const runError = useMemo(() => failure && fromErrorInfo(failure), [failure]);

  return {
    session,
    sessionId,
    messages: state?.messages ?? latestMessages ?? (sessionId === undefined ? initialMessages : none),
    status,
    isSubmitted: status === 'running' && (isOpen ? !isStreaming : last?.role === 'user'),
    isStreaming,
    outcome: state?.run?.outcome,
    isCut: state !== undefined && isCut(state),
    resuming,
    limit: state?.run?.limit,
    error: refusal?.error ?? openError ?? damage ?? runError,
    queue: state?.queue ?? none,
    approvals,
    retrying,
    hasClient,
    isLoading,
    ...actions,
  };
}

/** A value of the last render, for functions that outlive the render. `set` belongs into an effect. */
interface Latest<T> {
  readonly get: () => T;
  readonly set: (value: T) => void;
}

function createLatest<T>(value: T): Latest<T> {
  let latest = value;
  return { get: () => latest, set: (next) => void (latest = next) };
}
