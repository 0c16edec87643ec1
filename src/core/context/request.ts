import { closeCalls } from '../model/parts.ts';
import { type Message, type MessageInput, type Role, toMessage } from '../model/message.ts';

/** What of a conversation the model gets to see. */
export interface View {
  /** The system prompt, first in every request. */
  readonly instructions?: string | undefined;
  /** Messages at most, beside those of the system; older whole turns are left out. */
  readonly maxMessages?: number | undefined;
}

/** Stands after a reply that broke off, marked as `synthetic`, so that the model goes on with it and every wire has its turns. */
const goOn = 'Your reply was interrupted here. Go on exactly where it stopped, without repeating anything.';

/**
 * Returns the messages of a request whose tokens are not counted. Pure, and always valid on the wire: no empty replies, every call has
 * ended, nothing of an interrupted reply but its text. As long as messages are only added, each request begins with the one before.
 */
export function toRequestMessages(
  messages: readonly Message[],
  { instructions, maxMessages }: View,
): readonly Message[] {
  return [...toImmutable(instructions), ...toVisible(newestTurns(messages, maxMessages))];
}

/** Returns what begins every request of an agent: the instructions, then the presets. */
export function toImmutable(instructions?: string, presets: readonly MessageInput[] = []): readonly Message[] {
  return [
    ...(instructions ? [textMessage('system', 'instructions', instructions)] : []),
    ...presets.map((preset, index) => toMessage({ id: `preset-${index + 1}`, timestamp: 0, ...preset }, noPorts)),
  ];
}

/** An id and a time are given with each message. */
const noPorts = { id: () => '', now: () => 0 };

/** Messages as the model may see them. */
export function toVisible(messages: readonly Message[]): readonly Message[] {
  const all: Message[] = [];
  for (const [index, message] of messages.entries()) {
    const seen = sanitize(message);
    if (seen === undefined) continue;
    all.push(seen);
    // Whoever says something else instead does not want the rest.
    if (message.status === 'interrupted' && messages[index + 1]?.role !== 'user') all.push(continuePrompt(message));
  }
  return all;
}

/** The user message after a reply that stopped: it asks the model to continue, and keeps the order of turns that every wire requires. */
export function continuePrompt({ id }: Message): Message {
  return { ...textMessage('user', `${id}-go-on`, goOn), metadata: { synthetic: true } };
}

const cleaned = new WeakMap<Message, Message | null>();

/** The message without what no wire takes, if anything is left of it; once made, the same for ever. */
function sanitize(message: Message): Message | undefined {
  const before = cleaned.get(message);
  if (before !== undefined) return before ?? undefined;
  // A call that nobody will end any more (an imported log, say) has a result all the same.
  const closed = closeCalls(message, 'cancelled');
  const content = closed.content.filter((part) =>
    part.type === 'text' ? part.text !== '' : message.status !== 'interrupted',
  );
  const seen = content.some((part) => part.type !== 'reasoning') ? { ...closed, content } : undefined;
  cleaned.set(message, seen ?? null);
  return seen;
}

export function textMessage(role: Role, id: string, text: string): Message {
  return { id, role, content: [{ type: 'text', text }], timestamp: 0 };
}

/**
 * The newest whole turns that fit, and what the system said. Counted are messages that the model sees, up to what was said last by a
 * person, so that a run does not move its own beginning.
 */
export function newestTurns(messages: readonly Message[], capacity: number = Infinity): readonly Message[] {
  const counted = messages.filter((message) => message.role !== 'system' && sanitize(message));
  const turn = counted.findLastIndex((message) => message.role === 'user');
  if (turn < capacity) return messages;
  const first = counted.find(({ role }, index) => role === 'user' && (turn - index < capacity || index === turn));
  const start = messages.findIndex((message) => message === first);
  return messages.filter(({ role }, index) => role === 'system' || index >= start);
}
