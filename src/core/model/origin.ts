import { defined } from '../json.ts';
import { isCall } from './find-call.ts';
import { interfaceOf } from './interface-of.ts';
import type { Message, Part, ToolPart } from './message.ts';
import type { MessageOrigin, ToolOrigin } from './message-origin.ts';

/** Where content came from. */
export type ContentOrigin =
  | MessageOrigin
  /** The person wrote or attached it. */
  | { readonly type: 'person' }
  /** The model wrote it. `model`: as the provider named it. */
  | { readonly type: 'model'; readonly model?: string }
  /** The provider of the model found it, by a search for example. */
  | { readonly type: 'provider' }
  /** A tool returned it. In an imported message it is what the file says. */
  | ({ readonly type: 'tool' } & ToolOrigin);

/**
 * Returns where a part of a message came from: it follows from the event that brought it, and nothing of it is guessed. Pure. Of a tool call it
 * is the result that has the origin. Without a part, the origin of the message.
 *
 *     originOf(message, part, session.getMessages()); // { type: 'tool', callId, name: 'notes__search', server: 'https://notes.example/mcp' }
 *
 * @param messages the conversation; used only for what an interface wrote
 */
export function originOf(message: Message, part?: Part, messages: readonly Message[] = []): ContentOrigin {
  const { role, status, model, origin } = message;
  if (origin === undefined || origin.type === 'page') {
    // Logs of earlier versions state an interface in the metadata only. The metadata never raise the trust in a message.
    const view = interfaceOf(message);
    if (view !== undefined) {
      const call = messages.flatMap(({ content }) => content).find(isCall(view));
      return { type: 'interface', ...toolOrigin(view, call) };
    }
  }
  if (part?.type === 'tool') return { type: 'tool', ...toolOrigin(part.callId, part) };
  if (part?.type === 'source' || part?.type === 'provider') return { type: 'provider' };
  if (origin !== undefined) return origin;
  if (role === 'user') return { type: 'person' };
  // Only replies of the model have a status.
  return role === 'system' || status === undefined ? { type: 'page' } : { type: 'model', ...defined({ model }) };
}

/** Whether neither the person here, nor the page, nor a reply made here brought a message: all of it is untrusted. */
export function isForeign(message: Message): boolean {
  return !['person', 'page', 'model'].includes(originOf(message).type);
}

function toolOrigin(callId: string, call: ToolPart | undefined): ToolOrigin {
  return { callId, name: call?.name ?? '', ...defined({ server: call?.server }) };
}

/** The key of the origin in an input. A symbol: JSON has none, so that no other author can write it. Registered as the key of a tool's engine is. */
const key: unique symbol = Symbol.for('brooklet.origin');

/** Returns an input of `addMessage` or `send` with its origin; `undefined` for a message of the person. Internal. */
export function brought<Input extends object>(input: Input, origin: MessageOrigin | undefined): Input {
  const marked: Input & { readonly [key]: MessageOrigin | null } = { ...input, [key]: origin ?? null };
  return marked;
}

/** Returns the origin with which an input was marked. */
export function broughtBy(input: unknown, otherwise?: MessageOrigin): MessageOrigin | undefined {
  const isMarked = typeof input === 'object' && input !== null && Object.hasOwn(input, key);
  // The boundary between a symbol and the types: only `brought` writes the key.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return isMarked ? ((input as { readonly [key]: MessageOrigin | null })[key] ?? undefined) : otherwise;
}

/** Returns a copy of an input with the mark of the input, where it has one. */
export function broughtAs<Input extends object>(copy: Input, input: object): Input {
  return Object.hasOwn(input, key) ? brought(copy, broughtBy(input)) : copy;
}

/** Returns a message that something else has brought than its own fields say. */
export function withOrigin(message: Message, origin: MessageOrigin): Message {
  return message.origin?.type === origin.type && origin.type !== 'interface' ? message : { ...message, origin };
}
