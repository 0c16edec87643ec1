import { closeCalls } from '../model/parts.ts';
import { textMessage } from './immutable.ts';
import { isTruncated, type Message } from '../model/message.ts';

/** Which part of a conversation the model sees. */
export interface View {
  /** What begins every request: see `toImmutable`. Default: nothing. */
  readonly immutable?: readonly Message[] | undefined;
  /** Maximum number of messages, system messages not counted; older whole turns are left out. */
  readonly maxMessages?: number | undefined;
}

/** Follows a reply that was interrupted or truncated, marked as `synthetic`, so that the model continues it and every wire format has its order of turns. */
const continueText = 'Your reply was interrupted here. Go on exactly where it stopped, without repeating anything.';

/**
 * Returns the messages of a request whose tokens are not counted. Pure, and always valid on the wire: no empty replies, every call has
 * ended, an interrupted reply contains its text only. While messages are only added, each request begins with the previous request.
 */
export function toRequestMessages(
  messages: readonly Message[],
  { immutable = [], maxMessages }: View,
): readonly Message[] {
  return [...immutable, ...toVisible(newestTurns(messages, maxMessages))];
}

/** Returns the messages as the model may see them. */
export function toVisible(messages: readonly Message[]): readonly Message[] {
  const all: Message[] = [];
  messages.forEach((message, index) => {
    const seen = sanitize(message);
    if (seen === undefined) return;
    all.push(seen);
    // A user who has sent another message instead does not expect the rest of the reply.
    const isPart = message.status === 'interrupted' || isTruncated(message);
    if (isPart && messages[index + 1]?.role !== 'user') all.push(continuePrompt(message));
  });
  return all;
}

/** Returns the user message that follows an interrupted or truncated reply and asks the model to continue. */
export function continuePrompt({ id }: Message): Message {
  return { ...textMessage('user', `${id}-go-on`, continueText), metadata: { synthetic: true } };
}

const cleaned = new WeakMap<Message, Message | null>();

/** Returns the message without parts that no wire format accepts, or `undefined` when nothing is left. Cached: the identity is stable. */
function sanitize(message: Message): Message | undefined {
  const before = cleaned.get(message);
  if (before !== undefined) return before ?? undefined;
  // A call that will never end (of an imported log, for example) needs a result as well.
  const closed = closeCalls(message, 'cancelled');
  const content = closed.content.filter((part) =>
    part.type === 'text' ? part.text !== '' : message.status !== 'interrupted',
  );
  const seen = content.some((part) => part.type !== 'reasoning') ? { ...closed, content } : undefined;
  cleaned.set(message, seen ?? null);
  return seen;
}

/**
 * Returns the newest whole turns that fit, and all system messages. The count includes the messages that the model sees, up to the last
 * user message, so that a run does not move its own beginning.
 */
export function newestTurns(messages: readonly Message[], capacity: number = Infinity): readonly Message[] {
  if (capacity === Infinity) return messages;
  const counted = messages.filter((message) => message.role !== 'system' && sanitize(message));
  const turn = counted.findLastIndex((message) => message.role === 'user');
  if (turn < capacity) return messages;
  const first = counted.find(({ role }, index) => role === 'user' && (turn - index < capacity || index === turn));
  const start = messages.findIndex((message) => message === first);
  return messages.filter(({ role }, index) => role === 'system' || index >= start);
}
