import type { Subscription } from 'rxjs';
import type { AgentError } from '../core/error.ts';
import { lazy } from '../core/lazy.ts';
import type { ToolTypes } from '../core/model/call.ts';
import { isDelta } from '../core/model/event.ts';
import type { ToolPart } from '../core/model/message.ts';
import type { AgentSession, RunResult } from '../core/session/session.ts';

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

/** Whether there is anything to listen to. */
export function hasListeners({ onFinish, onError, onToolCall, onApproval }: ChatListeners): boolean {
  return !!(onFinish ?? onError ?? onToolCall ?? onApproval);
}

/** The listening of one component to one session at a time. */
export interface Listening {
  /** Calls the listeners for the events of this session from now on, and of no other session. */
  readonly follow: (session: AgentSession | undefined) => void;
}

const loadEvents = lazy(() => import('./chatEvents.ts'));

export function createListening(getListeners: () => ChatListeners): Listening {
  let followed: AgentSession | undefined;
  let subscription: Subscription | undefined;

  return {
    follow(session) {
      if (session === followed) return;
      subscription?.unsubscribe();
      followed = session;
      subscription = session?.events$.subscribe((event) => {
        if (isDelta(event)) return;
        const state = session.getState();
        loadEvents().then(
          ({ tell }) => session === followed && tell(event, state, getListeners()),
          (error: AgentError) => getListeners().onError?.(error),
        );
      });
    },
  };
}
