import { id } from './fields.ts';
import { part, role } from './part-shape.ts';
import { jsonObject, listOf, maybe, object, type Shape, time } from './shape.ts';

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

/** What `updateMessage` changes of a message. */
export const messageUpdate: Shape = object({ content: parts, timestamp: time, metadata });
