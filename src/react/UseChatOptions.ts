import type { AgentError } from '../core/error.ts';
import type { ToolTypes } from '../core/model/call.ts';
import type { Message, ToolPart } from '../core/model/message.ts';
import type { RunResult } from '../core/session/session.ts';

/**
 * Listeners of a chat. Each is called once for each event while the chat is mounted, also for a run that was resumed, that another component
 * started, or that another tab drives. The listener of the last render is called.
 */
export interface ChatListeners<Tools extends ToolTypes = ToolTypes> {
  /** Called when a run has ended, whatever its outcome. */
  readonly onFinish?: ((result: RunResult<Tools>) => void) | undefined;
  /** Called when a run has failed or was interrupted by an error, before `onFinish`, and when an action was refused. */
  readonly onError?: ((error: AgentError) => void) | undefined;
  /** Called when the model has requested a call. The call runs by itself, or waits for approval. */
  readonly onToolCall?: ((call: ToolPart<Tools>) => void) | undefined;
  /** Called when a call begins to wait for an approval or an answer. Calls that wait already are in `approvals`. */
  readonly onApproval?: ((call: ToolPart<Tools>) => void) | undefined;
}

/** Options of `useChat`. */
export interface UseChatOptions<Tools extends ToolTypes = ToolTypes> extends ChatListeners<Tools> {
  /** The session to show. Without an id the first `send` creates a session, and the hook then shows that session. */
  readonly sessionId?: string | undefined;
  /**
   * Whether a `sessionId` that was never stored becomes a new, empty session: an id of the address, for example, when the page was reloaded
   * before the session was stored. Default `false`: `error` is `SESSION_NOT_FOUND`. For a removed session `error` is `SESSION_REMOVED` in both cases.
   */
  readonly create?: boolean | undefined;
  /** Called with the id of the session that the first `send` created, for example to put the id into the address bar. */
  readonly onSessionCreated?: ((sessionId: string) => void) | undefined;
  /** Shown while there is no session, and the first messages of the session that the first `send` creates. */
  readonly initialMessages?: readonly Message[] | undefined;
}
