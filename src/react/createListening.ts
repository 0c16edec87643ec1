import type { Subscription } from 'rxjs';
import type { AgentError } from '../core/error.ts';
import type { ToolTypes } from '../core/model/call.ts';
import { isDelta } from '../core/model/event.ts';
import type { ToolPart } from '../core/model/message.ts';
import type { AgentSession, RunResult } from '../core/session/session.ts';
import { loadLater } from './loadLater.ts';

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

/** Calls the listeners for the events of this session from now on, and of no other session. */
export type Follow = (session: AgentSession | undefined) => void;

/** Creates the listening of one component to one session at a time. */
export function createListening(getListeners: () => ChatListeners): Follow {
  let subscription: Subscription | undefined;

  return (session) => {
    subscription?.unsubscribe();
    const own = session?.events$.subscribe((event) => {
      const { onFinish, onError, onToolCall, onApproval } = getListeners();
      if (isDelta(event) || !(onFinish ?? onError ?? onToolCall ?? onApproval)) return;
      const state = session.getState();
      void loadLater().then(({ tell }) => own?.closed || tell(event, state, getListeners()), onError);
    });
    subscription = own;
  };
}
