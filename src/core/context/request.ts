import { closeCalls } from '../log/parts.ts';
import type { Message, Role } from '../message.ts';

/** What of a conversation the model gets to see. */
export interface View {
  /** The system prompt, first in every request. */
  readonly instructions?: string | undefined;
  /** Messages at most, beside the instructions; older whole turns are left out. */
  readonly capacity?: number | undefined;
}

/** Stands after a reply that broke off, marked as `synthetic`, so that the model goes on with it and every wire has its turns. */
const goOn = 'Your reply was interrupted here. Go on exactly where it stopped, without repeating anything.';

/**
 * The messages of the next request. Pure, and always valid on the wire: no empty replies, every call has ended, nothing of a reply
 * that broke off but its text. As long as messages are only added, each request begins with the one before.
 */
export function toRequestMessages(messages: readonly Message[], { instructions, capacity }: View): readonly Message[] {
  const seen: Message[] = [];
  const fitting = withinCapacity(messages, capacity);
  for (const [index, message] of fitting.entries()) {
    const isCut = message.status === 'interrupted';
    // A call that nobody will end any more (an imported log, say) has a result all the same.
    const content = closeCalls(message, 'cancelled').content.filter((part) =>
      part.type === 'text' ? part.text !== '' : !isCut,
    );
    if (!content.some((part) => part.type !== 'reasoning')) continue;
    seen.push({ ...message, content });
    // Whoever says something else instead does not want the rest.
    if (isCut && fitting[index + 1]?.role !== 'user')
      seen.push({ ...said('user', `${message.id}-go-on`, goOn), metadata: { synthetic: true } });
  }
  return instructions ? [said('system', 'instructions', instructions), ...seen] : seen;
}

function said(role: Role, id: string, text: string): Message {
  return { id, role, content: [{ type: 'text', text }], timestamp: 0 };
}

/** The newest whole turns that fit. Counted up to what was said last by a person, so that a run does not move its own beginning. */
function withinCapacity(messages: readonly Message[], capacity = Infinity): readonly Message[] {
  const turn = messages.findLastIndex((message) => message.role === 'user');
  if (turn < capacity) return messages;
  return messages.slice(
    messages.findIndex(({ role }, index) => role === 'user' && (turn - index < capacity || index === turn)),
  );
}
