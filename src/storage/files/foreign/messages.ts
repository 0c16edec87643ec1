import { defined, isJsonObject, parseJson, type Json, type JsonObject } from '../../../core/json.ts';
import { type Message, type Part, type ToolPart, isToolPart } from '../../../core/model/message.ts';
import { toCount, toList, toObject, toText } from '../../../core/model/read-json.ts';
import type { Pauses } from '../pause.ts';
import { itemCost } from '../read-items.ts';
import { reasoningPart, textPart, toParts } from './content.ts';
import { type ForeignCall, openCall } from './calls.ts';
import { uiCall, uiParts, uiToolName } from './ui-parts.ts';

/** The messages of another program. */
export interface ForeignMessages {
  readonly messages: readonly Message[];
  /** Number of items that are neither a message, nor a call, nor a result. */
  readonly skipped: number;
}

/** A message while its calls may still get results. */
interface Draft extends Message {
  readonly content: Part[];
}

/**
 * Converts messages of chat completions and of the AI SDK (`UIMessage`), and the items that the readers of `brooklet/tools` return for a
 * log of Claude Code, Codex or Gemini CLI. Invariant: every call has a final status; a call without a result is cancelled.
 *
 * @param now time of items that state none: ms since the epoch
 */
export async function toMessages(items: readonly Json[], now: number, pauses: Pauses): Promise<ForeignMessages> {
  const drafts: Draft[] = [];
  /** Where the latest call of a foreign id is. */
  const places = new Map<string, { readonly draft: Draft; readonly index: number }>();
  const usedIds = new Set<string>();
  let time = now;
  let skipped = 0;

  function addMessage(role: Message['role'], content: readonly Part[]): Draft {
    const draft: Draft = { id: `m${drafts.length + 1}`, role, content: [...content], timestamp: time };
    drafts.push(draft);
    return draft;
  }

  function addCall(id: string, call: ForeignCall): void {
    const last = drafts.at(-1);
    const draft = last?.role === 'assistant' ? last : addMessage('assistant', []);
    let callId = id || `call${usedIds.size + 1}`;
    while (usedIds.has(callId)) callId += "'";
    usedIds.add(callId);
    places.set(id, { draft, index: draft.content.push({ type: 'tool', callId, ...call }) - 1 });
  }

  function addResult(id: string, result: Pick<ToolPart, 'output' | 'isError'>): boolean {
    const place = places.get(id);
    const call = place?.draft.content[place.index];
    if (place === undefined || call === undefined || !isToolPart(call)) return false;
    const { progress: _none, ...rest } = call;
    place.draft.content[place.index] = { ...rest, ...result, status: result.isError ? 'failed' : 'succeeded' };
    return true;
  }

  /** Returns whether the item was understood. */
  function add(item: JsonObject): boolean {
    const { type, id, name, input, toolUseId, output = '', isError } = item;
    switch (type) {
      case 'tool_use':
        addCall(toText(id), openCall(toText(name), input));
        return true;
      case 'tool_result': {
        // A result with a name is complete, also without an earlier call.
        if (typeof name === 'string' && !places.has(toText(toolUseId)))
          addCall(toText(toolUseId), openCall(name, input));
        return addResult(toText(toolUseId), { output, isError: isError === true });
      }
      case 'tool_execution':
        addCall(toText(toolUseId), execution(item));
        return true;
      default:
        return Array.isArray(item.parts) ? addUIMessage(item) : addChatMessage(item);
    }
  }

  /** Adds a message of the AI SDK: one message for each of its steps. */
  function addUIMessage({ role, parts }: JsonObject): boolean {
    const own = roles.get(role);
    if (own === undefined) return false;
    let step = addMessage(own, []);
    for (const part of toList(parts).map(toObject)) {
      const name = uiToolName(part);
      if (part.type === 'step-start' && step.content.length > 0) step = addMessage(own, []);
      else if (name === undefined) step.content.push(...uiParts(part));
      else addCall(toText(part.toolCallId), uiCall(name, part));
    }
    const hasContent = step.content.length > 0;
    if (!hasContent) drafts.pop();
    return hasContent;
  }

  function addChatMessage(item: JsonObject): boolean {
    const message = messageIn(item);
    const { role, content, refusal, reasoning_content: reasoning, function_call: oldCall } = message;
    if (role === 'tool' || role === 'function') {
      const id = role === 'tool' ? toText(message.tool_call_id) : idOfOld(message);
      return addResult(id, { output: resultOf(content), isError: false });
    }
    const own = roles.get(role);
    if (own === undefined) return false;
    const parts = [...reasoningPart(toText(reasoning)), ...toParts(content), ...textPart(toText(refusal))];
    const calls = toList(message.tool_calls).map(toObject);
    const all = isJsonObject(oldCall) ? [...calls, { id: idOfOld(oldCall), function: oldCall }] : calls;
    if (parts.length > 0 || all.length > 0) addMessage(own, parts);
    for (const { id, function: called } of all) {
      const { name, arguments: text } = toObject(called);
      addCall(toText(id), openCall(toText(name), parseJson(toText(text)), toText(text)));
    }
    return parts.length > 0 || all.length > 0;
  }

  for (const item of items) {
    const row = toObject(item);
    time = timeOf(row) ?? time;
    if (!add(row)) skipped++;
    await pauses.spend(itemCost);
  }
  return { messages: drafts, skipped };
}

const roles: ReadonlyMap<unknown, Message['role']> = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['model', 'assistant'],
]);

/** Returns the message in a line of a log: the line itself, its `message` (Claude Code), or its text item (Codex). */
function messageIn(item: JsonObject): JsonObject {
  if (isJsonObject(item.message)) return item.message;
  const { type, text } = toObject(item.item);
  if (item.type === 'item.completed' && type === 'agent_message') return { role: 'assistant', content: text };
  if (item.type === 'item.completed' && type === 'reasoning') return { role: 'assistant', reasoning_content: text };
  return item;
}

/** Calls of the first version of function calling have no id: a result belongs to the latest call with its name. */
function idOfOld({ name }: JsonObject): string {
  return `function ${toText(name)}`;
}

function execution({ toolName, input, output = '', isError, durationMs, summary, timestamp }: JsonObject): ForeignCall {
  return {
    ...openCall(toText(toolName), input),
    status: isError === true ? 'failed' : 'succeeded',
    output,
    isError: isError === true,
    ...defined({
      durationMs: toCount(durationMs),
      startedAt: toCount(timestamp),
      summary: toText(summary) || undefined,
    }),
  };
}

/** Returns the content of a tool's message: its texts joined, or the value itself. */
function resultOf(content: Json | undefined): Json {
  if (!Array.isArray(content)) return content ?? '';
  return toParts(content)
    .flatMap((part) => (part.type === 'text' ? part.text : []))
    .join('\n');
}

/** Returns the time of an item: ms since the epoch, or ISO 8601; `undefined` where it states none. */
function timeOf({ timestamp }: JsonObject): number | undefined {
  const time = typeof timestamp === 'string' ? Date.parse(timestamp) : toCount(timestamp);
  return Number.isNaN(time) ? undefined : time;
}
