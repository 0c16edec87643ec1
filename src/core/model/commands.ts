import { fail } from '../error.ts';
import type { EventBody } from './event.ts';
import type { Message } from './message.ts';
import type { SessionState } from './state.ts';

/** A change of a session by a person or a page, recorded as one event. */
export type Command =
  | { readonly do: 'add'; readonly message: Message }
  | { readonly do: 'update'; readonly messageId: string; readonly updater: (message: Message) => Message }
  | { readonly do: 'clear' }
  | { readonly do: 'rename'; readonly title: string }
  | { readonly do: 'unqueue'; readonly messageId: string }
  | { readonly do: 'pin'; readonly messageId: string; readonly pinned: boolean }
  | { readonly do: 'restore'; readonly compactionId: string }
  | { readonly do: 'revoke'; readonly toolName: string };

/**
 * What a verb requires. `open`: allowed also while another tab runs the session. `usable`: no other tab runs the session.
 * `idle`: no run is under way.
 */
export type Readiness = 'open' | 'usable' | 'idle';

/** The readiness that each command requires. */
export const readiness: Readonly<Record<Command['do'], Readiness>> = {
  add: 'usable',
  update: 'usable',
  clear: 'usable',
  rename: 'open',
  unqueue: 'open',
  pin: 'open',
  restore: 'usable',
  revoke: 'usable',
};

/** Read access to a session; a log is one. */
export interface SessionReader {
  getState(): SessionState;
  /** The cost does not grow with the number of messages, so that adding a history message by message is linear. */
  hasMessage(id: string): boolean;
}

/**
 * Returns the event that records a command.
 *
 * @throws AgentError `INVALID_INPUT`, `MESSAGE_NOT_FOUND`, `NOTHING_TO_RESUME`
 */
export function decide({ getState, hasMessage }: SessionReader, command: Command): EventBody {
  switch (command.do) {
    case 'add':
      if (hasMessage(command.message.id))
        fail('INVALID_INPUT', `There is a message ${command.message.id} already: pass another id.`);
      return { type: 'message.added', message: command.message };
    case 'update': {
      const { messages, id } = getState();
      const message =
        messages.find((candidate) => candidate.id === command.messageId) ??
        fail('MESSAGE_NOT_FOUND', `There is no message ${command.messageId} in session ${id}.`);
      return { type: 'message.updated', message: { ...command.updater(message), id: message.id, role: message.role } };
    }
    case 'clear':
      return { type: 'session.cleared' };
    case 'rename':
      return { type: 'session.renamed', title: command.title };
    case 'unqueue':
      return { type: 'message.unqueued', messageId: command.messageId };
    case 'pin':
      return { type: 'message.pinned', messageId: command.messageId, pinned: command.pinned };
    case 'restore':
      return { type: 'context.restored', compactionId: command.compactionId };
    case 'revoke':
      return { type: 'rule.revoked', name: command.toolName };
  }
}

/**
 * Returns the user message to answer again: the given one, or the last.
 *
 * @throws AgentError `MESSAGE_NOT_FOUND`, `NOTHING_TO_RESUME` if the session has no user message
 */
export function promptToAnswer({ id, messages }: SessionState, messageId: string | undefined): Message {
  return (
    messages.findLast((message) => message.role === 'user' && (messageId ?? message.id) === message.id) ??
    fail(
      messageId === undefined ? 'NOTHING_TO_RESUME' : 'MESSAGE_NOT_FOUND',
      `There is no message ${messageId ?? 'of a user'} in session ${id} to answer again.`,
    )
  );
}
