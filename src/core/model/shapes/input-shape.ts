import { id } from './fields.ts';
import { part, role } from './part-shape.ts';
import { flag, jsonObject, listOf, maybe, object, type Shape, time } from './shape.ts';

const parts = listOf(part);
/** Text, or a list of parts. */
const content: Shape = (value, field) => (typeof value === 'string' ? undefined : parts(value, field));
const metadata = maybe(jsonObject);

/** `MessageInput` */
export const messageInput: Shape = object({ id: maybe(id), role, content, timestamp: maybe(time), metadata });

/** `ChatInput` */
export const chatInput: Shape = object({ content, metadata });

/** The part of `SessionOptions` that is stored. */
export const sessionInput: Shape = object({ id, metadata });

/** The id and the part of `OpenOptions` that `openSession` checks itself. */
export const openingInput: Shape = object({ id, create: maybe(flag) });

/** What `updateMessage` changes of a message. */
export const messageUpdate: Shape = object({ content: parts, timestamp: time, metadata });
