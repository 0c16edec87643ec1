import { fail } from '../error.ts';
import { defined, type JsonObject } from '../json.ts';
import type { EventBody } from './event.ts';
import { idsOf, type Message, toParts } from './message.ts';
import { messageUpdate } from './shapes/input-shape.ts';
import { string } from './shapes/fields.ts';
import { readInput, reading } from './shapes/read-input.ts';
import { verbEvent } from './shapes/verb-shape.ts';
import type { SessionState } from './state.ts';

/** A change of a session by a person or a page, recorded as one event. */
export type Command =
  | { readonly do: 'add'; readonly message: Message }
  | { readonly do: 'update'; readonly messageId: string; readonly updater: (message: Message) => Message }
  | { readonly do: 'remove'; readonly messageId: string }
  | { readonly do: 'clear' }
  | { readonly do: 'rename'; readonly title: string }
  | { readonly do: 'describe'; readonly metadata: JsonObject }
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
  remove: 'idle',
  clear: 'usable',
  rename: 'open',
  describe: 'open',
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
 * Returns the event that records a command. Invariant: `importSessions` accepts every field of the event.
 *
 * @throws AgentError `INVALID_INPUT`, `MESSAGE_NOT_FOUND`, `NOTHING_TO_RESUME`
 */
export function decide({ getState, hasMessage }: SessionReader, command: Command): EventBody {
  switch (command.do) {
    case 'add':
      if (idsOf(command.message).some((id, index, ids) => hasMessage(id) || ids.indexOf(id) < index))
        fail('INVALID_INPUT', `An id of message ${command.message.id} is in use already: pass others.`);
      return { type: 'message.added', message: command.message };
    case 'update': {
      const message = messageOf(getState(), command.messageId);
      return { type: 'message.updated', message: update(message, command.updater) };
    }
    case 'remove':
      return checked({ type: 'message.removed', messageId: messageOf(getState(), command.messageId).id });
    case 'clear':
      return { type: 'session.cleared' };
    case 'rename':
      return checked({ type: 'session.renamed', title: command.title });
    case 'describe':
      return checked({ type: 'metadata.changed', metadata: command.metadata });
    case 'unqueue':
      return checked({ type: 'message.unqueued', messageId: command.messageId });
    case 'pin':
      return checked({ type: 'message.pinned', messageId: command.messageId, pinned: command.pinned });
    case 'restore':
      return checked({ type: 'context.restored', compactionId: command.compactionId });
    case 'revoke':
      return checked({ type: 'rule.revoked', name: command.toolName });
  }
}

function messageOf({ id, messages }: SessionState, given: string): Message {
  const messageId = readInput(given, string, 'The id of the message');
  return (
    messages.find((message) => message.id === messageId) ??
    fail('MESSAGE_NOT_FOUND', `There is no message ${messageId} in session ${id}.`)
  );
}

/** The fields of a message that describe a reply: only events of its run change them. */
function update(before: Message, updater: (message: Message) => Message): Message {
  const { metadata: _metadata, ...kept } = before;
  const updated = reading('The updated message', () => updater(before));
  const { content, timestamp, metadata } = readInput(updated, messageUpdate, 'The updated message');
  return { ...kept, content: toParts(content), timestamp, ...defined({ metadata }) };
}

function checked(event: EventBody): EventBody {
  return readInput(event, verbEvent, 'The argument');
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
      `There is no message ${messageId ?? 'of a user'} in session ${id} to answer.`,
    )
  );
}
