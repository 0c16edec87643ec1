import { type Context, createContext, useContext } from 'react';
import type { AgentSession } from '../../index.ts';
import type { UseChatResult } from '../../react/index.ts';
import type { Held } from './heldOf.ts';
import type { ThreadProps } from './props.ts';

/** What can be done with a message or a call. A refusal is in `error` of the chat. */
type ThreadActions = Pick<UseChatResult, 'edit' | 'regenerate' | 'selectAlternative' | 'approve' | 'reject' | 'answer'>;

/** A version that is about to be shown, and the button that was pressed for it. */
export interface AwaitedVersion {
  /** Id of its first message. */
  readonly id: string;
  readonly step: 'back' | 'on';
}

/** What the rows of a thread share. */
export interface ThreadEnv {
  /** `undefined` while the session is being opened, and for messages without a session: nothing can be done with them. */
  readonly session: AgentSession | undefined;
  readonly actions: ThreadActions;
  /** Whether a run is under way: then messages cannot be changed. */
  readonly isBusy: boolean;
  /** What the calls that have not started wait for; `undefined` while they are about to run. */
  readonly held: Held | undefined;
  readonly renderPart: ThreadProps['renderPart'];
  readonly renderVerbs: ThreadProps['renderVerbs'];
  readonly beforeDecision: ThreadProps['beforeDecision'];
  readonly onOpenSession: ThreadProps['onOpenSession'];
  readonly awaited: AwaitedVersion | undefined;
  readonly setAwaited: (awaited: AwaitedVersion | undefined) => void;
}

export const ThreadContext: Context<ThreadEnv | undefined> = createContext<ThreadEnv | undefined>(undefined);

/** Returns what the rows of a thread share; `undefined` outside of a thread. */
export function useThread(): ThreadEnv | undefined {
  return useContext(ThreadContext);
}
