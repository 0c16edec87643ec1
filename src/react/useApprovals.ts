import { useMemo } from 'react';
import { lastReply } from '../core/log/status.ts';
import { type Message, type ToolPart, toolParts } from '../core/message.ts';
import type { AgentSession } from '../core/session.ts';
import { keepSame } from './keepSame.ts';
import { useObservable } from './useObservable.ts';

/** A call that waits for a person's decision, and the message in which the model asked for it. */
export interface PendingApproval {
  readonly message: Message;
  readonly call: ToolPart;
}

const none: readonly Message[] = [];

function heldCalls(messages: readonly Message[]): readonly PendingApproval[] {
  const message = lastReply(messages);
  if (message === undefined) return [];
  return toolParts(message)
    .filter((call) => call.status === 'held')
    .map((call) => ({ message, call }));
}

function isSame(before: PendingApproval | undefined, now: PendingApproval): boolean {
  return before?.call === now.call && before.message === now.message;
}

/** The calls of a session that wait for a decision, in the order in which they were asked for. */
export function useApprovals(session: AgentSession | undefined): readonly PendingApproval[] {
  const toHeld = useMemo(() => keepSame(heldCalls, isSame), []);
  return useObservable(session?.messages$, () => toHeld(session?.getMessages() ?? none));
}
