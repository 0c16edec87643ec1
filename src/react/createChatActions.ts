import type { Agent } from '../core/agent/agent.ts';
import { AgentError, toAgentError } from '../core/error.ts';
import type { ToolTypes } from '../core/model/call.ts';
import type { Alternatives } from '../core/model/alternatives.ts';
import type { Message } from '../core/model/message.ts';
import { lazy } from '../core/lazy.ts';
import type { AgentSession, ChatInput, RunResult, SendOptions } from '../core/session/session.ts';
import type { ChatVerbs } from './chatVerbs.ts';
import { sessionOpening } from './sessionOpening.ts';

/** Options of `send`. */
export interface ChatSendOptions extends SendOptions {
  /** Files to attach, of an `<input type="file">` for example. They are read before the message is sent. */
  readonly files?: FileList | readonly Blob[] | undefined;
}

/**
 * The actions of a chat. No action throws or rejects: a refused action resolves to `undefined` or `false`, and `error`
 * contains the reason.
 *
 * The functions keep their identity as long as the session is the same, and always act on the session for which they
 * were created.
 */
export interface ChatActions<Tools extends ToolTypes = ToolTypes> extends Omit<ChatVerbs<Tools>, 'withFiles'> {
  /**
   * Sends a message to the agent. Resolves when the run that answers the message has ended or waits for a decision;
   * for a queued message (`whenBusy: 'queue'`) that run starts later.
   */
  readonly send: (input: string | ChatInput, options?: ChatSendOptions) => Promise<RunResult<Tools> | undefined>;
  /** Cancels the run. Does nothing if no run is active. */
  readonly stop: () => void;
  /** Returns the versions of the conversation that begin at a message: see `AgentSession.alternatives`. */
  readonly alternatives: (messageId: string) => Alternatives;
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
  /** Called before the first message is sent. */
  readonly onCreate: (session: AgentSession) => void;
  readonly onCreated: (sessionId: string) => void;
  /** `undefined` clears the last refusal. */
  readonly onRefusal: (refusal: Refusal | undefined) => void;
  /** Returns the messages with which a new session begins. */
  readonly getInitial: () => readonly Message[];
}

const none: Alternatives = { ids: [], index: -1, count: 0 };

/** Creates the actions of `useChat`. */
export function createChatActions({ agent, sessionId: givenId, ...notify }: ChatActionsOptions): ChatActions {
  let sessionId = givenId;
  const verbs = lazy(async () => (await import('./chatVerbs.ts')).createChatVerbs(agent, open));

  async function open(): Promise<AgentSession> {
    if (sessionId === undefined)
      throw new AgentError('There is no session yet: send a message first.', { code: 'NOTHING_TO_RESUME' });
    return agent.getSession(sessionId) ?? sessionOpening(agent, sessionId).open();
  }

  /** Never rejects. */
  async function attempt<T>(action: () => Promise<T>): Promise<T | undefined> {
    notify.onRefusal(undefined);
    try {
      return await action();
    } catch (thrown) {
      notify.onRefusal({ sessionId, error: toAgentError(thrown) });
      return undefined;
    }
  }

  /** Sends the first message of a new session. The session is removed again if the message is refused. */
  async function sendFirst(input: string | ChatInput, options: SendOptions): Promise<RunResult | undefined> {
    const newId = agent.createSession();
    try {
      const session = agent.getSession(newId);
      if (session) notify.onCreate(session);
      notify.getInitial().forEach((message) => session?.addMessage(message));
      const result = session?.send(input, options);
      sessionId = newId;
      notify.onCreated(newId);
      return result;
    } catch (thrown) {
      agent.removeSession(newId);
      throw thrown;
    }
  }

  /** Returns an action whose code is loaded at the first use. */
  const later =
    <Args extends readonly unknown[], T>(pick: (verbs: ChatVerbs) => (...args: Args) => Promise<T>) =>
    (...args: Args): Promise<T | undefined> =>
      attempt(async () => pick(await verbs())(...args));

  const accepted =
    <Args extends readonly unknown[]>(pick: (verbs: ChatVerbs) => (...args: Args) => Promise<boolean>) =>
    async (...args: Args): Promise<boolean> =>
      (await later(pick)(...args)) ?? false;

  return {
    async send(input, { files, ...options } = {}) {
      const content = files ? await later((loaded) => loaded.withFiles)(input, files) : input;
      if (content === undefined) return undefined;
      return attempt(async () => {
        const session = sessionId === undefined ? undefined : (agent.getSession(sessionId) ?? (await open()));
        return session ? session.send(content, options) : sendFirst(content, options);
      });
    },
    stop: () => agent.cancel(sessionId ?? ''),
    alternatives: (messageId) => agent.getSession(sessionId ?? '')?.alternatives(messageId) ?? none,
    clearError: () => notify.onRefusal(undefined),
    unqueue: accepted((loaded) => loaded.unqueue),
    regenerate: later((loaded) => loaded.regenerate),
    resume: later((loaded) => loaded.resume),
    edit: later((loaded) => loaded.edit),
    selectAlternative: accepted((loaded) => loaded.selectAlternative),
    fork: later((loaded) => loaded.fork),
    attach: later((loaded) => loaded.attach),
    approve: accepted((loaded) => loaded.approve),
    reject: accepted((loaded) => loaded.reject),
    answer: accepted((loaded) => loaded.answer),
  };
}
