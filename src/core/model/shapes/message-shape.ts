import type { Message, Usage, ZoneTokens } from '../message.ts';
import { type Fields, id, string } from './fields.ts';
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
};
export const message: Shape = object(messageFields);
