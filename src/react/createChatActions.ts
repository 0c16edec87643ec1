import type { Agent } from '../core/agent/agent.ts';
import { AgentError, toAgentError } from '../core/error.ts';
import type { ToolTypes } from '../core/model/call.ts';
import type { Json } from '../core/json.ts';
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
import { approvalRuleChanges } from './approvalRuleChanges.ts';
import { sessionOpening } from './sessionOpening.ts';

/**
 * The actions of a chat. No action throws or rejects: a refused action resolves to `undefined` or `false`, and `error`
 * contains the reason.
 *
 * The functions keep their identity as long as the session is the same, and always act on the session for which they
 * were created.
 */
export interface ChatActions<Tools extends ToolTypes = ToolTypes> {
  /**
   * Sends a message to the agent. Resolves when the run that answers the message has ended or waits for a decision;
   * for a queued message (`whenBusy: 'queue'`) that run starts later.
   */
  readonly send: (input: string | ChatInput, options?: SendOptions) => Promise<RunResult<Tools> | undefined>;
  /** Removes a message from `queue`. Resolves to whether the message was removed. */
  readonly unqueue: (messageId: string) => Promise<boolean>;
  /** Cancels the run. Does nothing if no run is active. */
  readonly stop: () => void;
  /** Answers the last user message, or the given one, again. */
  readonly regenerate: (messageId?: string, options?: RunOptions) => Promise<RunResult<Tools> | undefined>;
  /** Continues the last run after an interruption, a failure, a limit or a cancel. */
  readonly resume: (options?: RunOptions) => Promise<RunResult<Tools> | undefined>;
  /** Approves a call. Resolves to whether the decision was accepted. */
  readonly approve: (callId: string, options?: ApproveOptions) => Promise<boolean>;
  /** Rejects a call. Resolves to whether the decision was accepted. */
  readonly reject: (callId: string, options?: RejectOptions) => Promise<boolean>;
  /**
   * Answers an elicitation: a call whose `approval.elicitation` is the JSON Schema of the answer. Resolves to whether
   * the answer was accepted.
   */
  readonly answer: (callId: string, answer: Json, options?: AnswerOptions) => Promise<boolean>;
  /** Clears the error of the last refused action. The error of a run stays until the next run. */
  readonly clearError: () => void;
}

/** Why an action was refused, and in which session: another session must not show the error. */
export interface Refusal {
  readonly sessionId: string | undefined;
  readonly error: AgentError;
}

interface ChatActionsOptions {
  readonly agent: Agent;
  /** The session to act on. Without an id the first `send` creates a session. */
  readonly sessionId: string | undefined;
  readonly onCreated: (sessionId: string) => void;
  /** `undefined` clears the last refusal. */
  readonly onRefusal: (refusal: Refusal | undefined) => void;
}

/** Creates the actions of `useChat`. */
export function createChatActions({ agent, sessionId: givenId, ...notify }: ChatActionsOptions): ChatActions {
  let sessionId = givenId;

  async function attempt<T>(
    action: (session: AgentSession) => Promise<T>,
    create?: () => Promise<T>,
  ): Promise<T | undefined> {
    notify.onRefusal(undefined);
    try {
      if (sessionId !== undefined)
        return await action(agent.getSession(sessionId) ?? (await sessionOpening(agent, sessionId).open()));
      if (create) return await create();
      throw new AgentError('There is no session yet: send a message first.', { code: 'NOTHING_TO_RESUME' });
    } catch (thrown) {
      notify.onRefusal({ sessionId, error: toAgentError(thrown) });
      return undefined;
    }
  }

  /** Sends the first message of a new session. The session is removed again if the message is refused. */
  async function sendFirst(input: string | ChatInput, options?: SendOptions): Promise<RunResult | undefined> {
    const newId = agent.createSession();
    try {
      const result = agent.getSession(newId)?.send(input, options);
      sessionId = newId;
      notify.onCreated(newId);
      return result;
    } catch (thrown) {
      agent.removeSession(newId);
      throw thrown;
    }
  }

  async function succeeds(action: (session: AgentSession) => Promise<void> | void): Promise<boolean> {
    const done = await attempt(async (session) => {
      await action(session);
      return true;
    });
    return done ?? false;
  }

  async function decide(
    options: DecisionOptions | undefined,
    action: (session: AgentSession) => Promise<void>,
  ): Promise<boolean> {
    const accepted = await succeeds(action);
    if (options?.remember === 'agent') approvalRuleChanges(agent).next();
    return accepted;
  }

  return {
    send: (...args) =>
      attempt(
        (session) => session.send(...args),
        () => sendFirst(...args),
      ),
    unqueue: (messageId) => succeeds((session) => session.unqueue(messageId)),
    stop: () => {
      if (sessionId !== undefined) agent.cancel(sessionId);
    },
    regenerate: (...args) => attempt((session) => session.regenerate(...args)),
    resume: (...args) => attempt((session) => session.resume(...args)),
    approve: (callId, options) => decide(options, (session) => session.approve(callId, options)),
    reject: (callId, options) => decide(options, (session) => session.reject(callId, options)),
    answer: (...args) => succeeds((session) => session.answer(...args)),
    clearError: () => notify.onRefusal(undefined),
  };
}
