import { id, string } from './fields.ts';
import { part, role } from './part-shape.ts';
import { flag, jsonObject, listOf, maybe, object, oneOf, type Shape, time } from './shape.ts';

const parts = listOf(part);
/** Text, or a list of parts. */
const content: Shape = (value, field) => (typeof value === 'string' ? undefined : parts(value, field));
const metadata = maybe(jsonObject);

/** `MessageInput` */
export const messageInput: Shape = object({ id: maybe(id), role, content, timestamp: maybe(time), metadata });

/** `ChatInput` */
export const chatInput: Shape = object({ id: maybe(id), content, metadata });

/** The part of `SessionOptions` that is stored. */
export const sessionInput: Shape = object({ id, metadata });

/** The options of `Agent.forkSession`. */
export const forkInput: Shape = object({ messageId: maybe(string) });

/** The options of all decisions on a call. */
export const decisionInput: Shape = object({
  input: maybe(jsonObject),
  reason: maybe(string),
  userName: maybe(string),
  fingerprint: maybe(string),
  remember: maybe(oneOf('once', 'session', 'agent')),
  drive: maybe(flag),
});

/** The id and the part of `OpenOptions` that `openSession` checks itself. */
export const openingInput: Shape = object({ id, create: maybe(flag) });

/** What `updateMessage` changes of a message. */
export const messageUpdate: Shape = object({ content: parts, timestamp: time, metadata });
