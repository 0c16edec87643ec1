import { named, type OptionNames } from '../core/model/shapes/named.ts';
import type { Agent } from '../core/agent/agent.ts';
import { type AgentError, toAgentError } from '../core/error.ts';
import type { ToolTypes } from '../core/model/call.ts';
import type { Alternatives } from '../core/model/alternatives.ts';
import type { AgentSession, ChatInput, RunResult, SendOptions } from '../core/session/session.ts';
import { readDraft, readSendOptions, sendNames } from '../core/session/read-arguments.ts';
import { type ChatVerbs, createChatVerbs, withFiles } from './chatVerbs.ts';
import { sessionOpening } from './sessionOpening.ts';
import type { UseChatOptions } from './UseChatOptions.ts';

/** Options of `send`. */
export interface ChatSendOptions extends SendOptions {
  /** Files to attach, of an `<input type="file">` for example. They are read before the message is sent. */
  readonly files?: FileList | readonly Blob[] | undefined;
  /**
   * Called once the message is in the conversation or in its queue, long before its answer: the moment to clear the field. Not called for a
   * message that is refused.
   */
  readonly onAccepted?: (() => void) | undefined;
}

/**
 * The actions of a chat. No action throws or rejects: a refused action resolves to `undefined` or `false`, and `error`
 * contains the reason.
 *
 * The functions keep their identity as long as the session is the same, and always act on the session for which they
 * were created.
 */
export interface ChatActions<Tools extends ToolTypes = ToolTypes> extends ChatVerbs<Tools> {
  /**
   * Sends a message to the agent. Resolves when the run that answers the message has ended or waits for a decision;
   * for a queued message (`whenBusy: 'queue'`) that run starts later.
   */
  readonly send: (input: string | ChatInput, options?: ChatSendOptions) => Promise<RunResult<Tools> | undefined>;
  /** Cancels the run. Does nothing if no run is active. */
  readonly stop: () => void;
  /** Returns the versions of the conversation that begin at a message: see `AgentSession.alternatives`. */
  readonly alternatives: (messageId: string) => Alternatives | undefined;
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
  /** Returns the options of the last render. */
  readonly getOptions: () => UseChatOptions;
  /** Called before the first message is sent: its run begins before the component is rendered with the session. */
  readonly onCreate: (session: AgentSession) => void;
  readonly onCreated: (sessionId: string) => void;
  /** `undefined` clears the last refusal. */
  readonly onRefusal: (refusal: Refusal | undefined) => void;
}

const chatSendNames: OptionNames<ChatSendOptions> = { ...sendNames, files: true, onAccepted: true };

/** Creates the actions of `useChat`. */
export function createChatActions({ agent, sessionId: givenId, ...notify }: ChatActionsOptions): ChatActions {
  let sessionId = givenId;
  const find = async (id: string | undefined): Promise<AgentSession | undefined> =>
    id === undefined
      ? undefined
      : (agent.getSession(id) ?? sessionOpening(agent, id).open(notify.getOptions().create === true));

  /** Never rejects. */
  async function attempt<T>(action: () => Promise<T>): Promise<T | undefined> {
    notify.onRefusal(undefined);
    try {
      return await action();
    } catch (thrown) {
      const error = toAgentError(thrown);
      notify.onRefusal({ sessionId, error });
      notify.getOptions().onError?.(error);
      return undefined;
    }
  }

  /** Sends the first message of a new session. The session is removed again if the message is refused. */
  async function sendFirst(
    input: string | ChatInput,
    options: SendOptions,
    accept: () => void,
  ): Promise<RunResult | undefined> {
    const newId = agent.createSession();
    const { initialMessages = [], onSessionCreated } = notify.getOptions();
    try {
      const session = agent.getSession(newId);
      if (session === undefined) return undefined;
      notify.onCreate(session);
      for (const message of initialMessages) session.addMessage(message);
      const result = session.send(input, options);
      sessionId = newId;
      notify.onCreated(newId);
      onSessionCreated?.(newId);
      accept();
      return result;
    } catch (thrown) {
      agent.removeSession(newId);
      throw thrown;
    }
  }

  const verbs = createChatVerbs(agent, () => find(sessionId));

  /** Returns a verb that resolves to `undefined` where it is refused. */
  const attempted =
    <Args extends readonly unknown[], T>(verb: (...args: Args) => Promise<T>) =>
    (...args: Args): Promise<T | undefined> =>
      attempt(() => verb(...args));

  /** Returns a verb that resolves to `false` where it is refused. */
  const accepted =
    <Args extends readonly unknown[]>(verb: (...args: Args) => Promise<boolean>) =>
    async (...args: Args): Promise<boolean> =>
      (await attempt(() => verb(...args))) ?? false;

  return {
    send: (given, options = {}) =>
      attempt(async () => {
        const { files, onAccepted, ...rest } = named(options, chatSendNames, 'send');
        const [input, copies] = [readDraft(given), readSendOptions(rest)];
        const chosen = files && Array.from(files);
        const content = chosen ? await withFiles(input, chosen) : input;
        // A message whose signal has aborted before is not sent.
        const accept = (): void => void (copies.signal?.aborted || onAccepted?.());
        if (sessionId === undefined) return sendFirst(content, copies, accept);
        const session = agent.getSession(sessionId) ?? (await find(sessionId));
        const result = session?.send(content, copies);
        accept();
        return result;
      }),
    stop: () => agent.cancel(sessionId ?? ''),
    alternatives: (messageId) => agent.getSession(sessionId ?? '')?.alternatives(messageId),
    clearError: () => notify.onRefusal(undefined),
    unqueue: accepted(verbs.unqueue),
    regenerate: attempted(verbs.regenerate),
    resume: attempted(verbs.resume),
    edit: attempted(verbs.edit),
    selectAlternative: accepted(verbs.selectAlternative),
    fork: attempted(verbs.fork),
    attach: attempted(verbs.attach),
    approve: accepted(verbs.approve),
    reject: accepted(verbs.reject),
    answer: accepted(verbs.answer),
  };
}
