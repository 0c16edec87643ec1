import { toObject, toText } from './read-json.ts';
import type { Message } from './message.ts';

/** What the interface of a tool (MCP Apps) asked for has this key: in the metadata of a message, and in the provider's data of a call. */
export const interfaceKey = 'mcp-app';

/**
 * Returns `callId` of the call whose interface wrote a message, as its metadata state it; `undefined` for every other message. Anybody may have
 * written the metadata: see `originOf`.
 */
export function interfaceOf({ role, metadata }: Message): string | undefined {
  const written = metadata?.[interfaceKey];
  if (role !== 'user' || written === undefined) return undefined;
  const { view, context } = toObject(written);
  return toText(view ?? toObject(context).view);
}
