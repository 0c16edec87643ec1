import { defined } from '../../core/json.ts';
import { isCall } from '../../core/model/find-call.ts';
import { interfaceOf } from '../../core/model/interface-of.ts';
import type { Message, Part, ToolPart } from '../../core/model/message.ts';

/** Where content came from. In an imported log all of it is what the file says. */
export type ContentOrigin =
  /** The person wrote or attached it. */
  | { readonly type: 'person' }
  /** The page wrote it: instructions, or a message that it added. */
  | { readonly type: 'page' }
  /** The model wrote it. `model`: as the provider named it. */
  | { readonly type: 'model'; readonly model?: string }
  /** The provider of the model found it, by a search for example. */
  | { readonly type: 'provider' }
  /** A tool returned it. */
  | ({ readonly type: 'tool' } & ToolOrigin)
  /** The interface of a tool wrote it (MCP Apps). */
  | ({ readonly type: 'interface' } & ToolOrigin);

/** A tool, and who offered it. */
interface ToolOrigin {
  readonly callId: string;
  /** Name of the tool; empty where the call is no longer in the conversation. */
  readonly name: string;
  /** `server` of the call, as it was when the call started: a server that has the same name today may be another one. */
  readonly server?: string;
}

/**
 * Returns where a part of a message came from: it follows from the log, and nothing of it is guessed. Pure. Of a tool call it is the result that
 * has the origin. Without a part, the origin of the message.
 *
 *     originOf(message, part, session.getMessages()); // { type: 'tool', callId, name: 'notes__search', server: 'https://notes.example/mcp' }
 *
 * @param messages the conversation; used only for what an interface wrote
 */
export function originOf(message: Message, part?: Part, messages: readonly Message[] = []): ContentOrigin {
  const { role, status, model } = message;
  const view = interfaceOf(message);
  if (view !== undefined) {
    const call = messages.flatMap(({ content }) => content).find(isCall(view));
    return { type: 'interface', ...toolOrigin(view, call) };
  }
  if (role === 'user') return { type: 'person' };
  if (part?.type === 'tool') return { type: 'tool', ...toolOrigin(part.callId, part) };
  if (part?.type === 'source' || part?.type === 'provider') return { type: 'provider' };
  // Only replies of the model have a status.
  return role === 'system' || status === undefined ? { type: 'page' } : { type: 'model', ...defined({ model }) };
}

function toolOrigin(callId: string, call: ToolPart | undefined): ToolOrigin {
  return { callId, name: call?.name ?? '', ...defined({ server: call?.server }) };
}
