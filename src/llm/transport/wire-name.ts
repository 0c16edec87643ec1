import { hash } from '../../core/model/hash.ts';
import { type Message, toolParts, type ToolPart } from '../../core/model/message.ts';
import { toObject, toText } from '../../core/model/read-json.ts';
import type { ToolSpec } from '../../core/model/settings.ts';
import { withLetterFirst } from '../../core/tools/tool-name.ts';

/** Returns a tool name that every provider accepts, whatever name the model invented. */
export function toToolName(name: string): string {
  return withLetterFirst(name.replace(/[^\w-]/g, '_'), 'tool_').slice(0, 64);
}

/** Returns the names of the tools of a request, as a service may state them in a call. */
export function toolNames(tools: readonly ToolSpec[] = []): ReadonlySet<string> {
  return new Set(tools.flatMap(({ name }) => [name, toToolName(name)]));
}

/** What services accept as the id of a call: ids of another service that do not fit are replaced. */
const accepted = /^[\w-]{1,40}$/;
const short = /^[a-z\d]{9}$/i;
/** Ids of services that mean none: "null" is what Mistral streams. */
const noId = /^(null|undefined|none)?$/i;

/** Returns an id that services accept (`isShort`: nine letters and digits). The same id always results in the same wire id. */
export function toWireId(callId: string, isShort = false): string {
  return (isShort ? short : accepted).test(callId) ? callId : hash(callId);
}

/**
 * Returns the function that returns the id of a call in a request. A service receives its own ids as it sent them: Kimi requires
 * `functions.<name>:<n>`, LiteLLM keeps the signature of Gemini in the id, OpenRouter's encrypted reasoning names it. Another service
 * receives an id that it accepts. Invariant: two calls of a request have different ids, though the ids of some services repeat; a longer
 * conversation has the ids of the shorter one.
 *
 * @param host host and port of the service that the request is for
 * @param isShort whether every id must be nine letters and digits (Mistral)
 */
export function createWireIds(
  messages: readonly Message[],
  host: string | undefined,
  isShort = false,
): (call: Pick<ToolPart, 'callId'>) => string {
  const ids = new Map<string, string>();
  const used = new Set<string>();
  for (const { callId, provider } of messages.flatMap(toolParts)) {
    const { id: stated, host: from } = toObject(provider);
    const theirs = toText(stated);
    const fits = isShort ? short : host !== undefined && from === host ? /^/ : accepted;
    const isUsable = !noId.test(theirs) && fits.test(theirs) && !used.has(theirs);
    const id = isUsable ? theirs : toWireId(callId, isShort);
    ids.set(callId, id);
    used.add(id);
  }
  return ({ callId }) => ids.get(callId) ?? toWireId(callId, isShort);
}
