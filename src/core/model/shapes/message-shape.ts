import type { Message, Usage, ZoneTokens } from '../message.ts';
import type { MessageOrigin } from '../message-origin.ts';
import { type Fields, id, string, typed } from './fields.ts';
import { part, role } from './part-shape.ts';
import { settings } from './settings-shape.ts';
import { amount, jsonObject, listOf, maybe, object, oneOf, type Shape } from './shape.ts';

export const usage: Shape = object({
  input: amount,
  output: amount,
  cached: maybe(amount),
  reasoning: maybe(amount),
  cacheRead: maybe(amount),
  cacheWritten: maybe(amount),
} satisfies Fields<Usage>);
export const zoneTokens: Shape = object({
  immutable: amount,
  compressed: amount,
  incremental: amount,
  scratch: amount,
} satisfies Fields<ZoneTokens>);
export const finish: Shape = oneOf('stop', 'length', 'tool-calls', 'pause', 'content-filter', 'other', 'unknown');

/** What brought a message. Import and replica replace what is stated. */
export const origin: Shape = typed<MessageOrigin>({
  page: {},
  import: {},
  device: {},
  agent: {},
  interface: { callId: string, name: string, server: maybe(string) },
});

const messageFields: Fields<Message> = {
  id,
  role,
  content: listOf(part),
  timestamp: amount,
  metadata: maybe(jsonObject),
  status: maybe(oneOf('streaming', 'complete', 'interrupted')),
  finish: maybe(finish),
  usage: maybe(usage),
  context: maybe(zoneTokens),
  model: maybe(string),
  settings: maybe(settings),
  origin: maybe(origin),
};
export const message: Shape = object(messageFields);
