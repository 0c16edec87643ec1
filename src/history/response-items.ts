import { isJsonObject, parseJson, type Json, type JsonObject } from '../core/json.ts';
import type { Part } from '../core/model/message.ts';
import { toList, toObject, toText } from '../core/model/read-json.ts';
import { reasoningPart, toParts } from './blocks.ts';
import { factsOf } from './facts.ts';
import { endedCall, type ForeignResult, openCall, textCall } from './foreign-call.ts';
import type { Reading } from './reading.ts';
import type { Tally } from './tally.ts';

/**
 * Adds an item of OpenAI's Responses, as `response.output` and the logs of Codex have them (openai/codex,
 * codex-rs/protocol/src/models.rs, `ResponseItem`). Returns `undefined` for an item of another kind.
 */
export function addResponseItem(item: JsonObject, { transcript, tally, model }: Reading): boolean | undefined {
  const facts = { ...(model !== undefined && { model }), ...factsOf(item) };
  const { type, call_id: callId, id, name } = item;
  const key = toText(callId) || toText(id);
  switch (type) {
    case 'message': {
      if (item.role !== 'assistant' || !Array.isArray(item.content)) return undefined;
      const parts = toParts(item.content, tally);
      if (parts.length > 0) transcript.addToReply(parts, { ...facts, id: toText(id) });
      else tally.leave('message', 'empty');
      return parts.length > 0;
    }
    case 'reasoning': {
      const blocks = [...toList(item.summary), ...toList(item.content)].map(toObject);
      const parts = blocks.flatMap(({ text }) => reasoningPart(toText(text)));
      if (parts.length > 0) transcript.addToReply(parts, { ...facts, id: toText(id) });
      else tally.leave('reasoning', item.encrypted_content ? 'encrypted' : 'empty');
      return parts.length > 0;
    }
    case 'function_call':
      transcript.addToReply([], facts);
      transcript.addCall(key, textCall(toText(name), toText(item.arguments), 'input'));
      return true;
    case 'custom_tool_call':
      transcript.addToReply([], facts);
      transcript.addCall(key, textCall(toText(name), toText(item.input), 'input'));
      return true;
    case 'local_shell_call':
      transcript.addToReply([], facts);
      transcript.addCall(key, openCall('local_shell', item.action));
      return true;
    case 'function_call_output':
    case 'custom_tool_call_output':
    case 'local_shell_call_output': {
      const isAdded = transcript.addResult(key, outputOf(item.output, tally));
      if (!isAdded) tally.leave('result', 'without-call');
      return isAdded;
    }
    // What runs at OpenAI has no result of its own.
    case 'web_search_call':
    case 'file_search_call':
    case 'code_interpreter_call':
    case 'image_generation_call':
    case 'mcp_call': {
      const { type: _type, id: _id, status, result, output, name: tool = type.replace(/_call$/, ''), ...rest } = item;
      const isError = status === 'failed' || rest.error !== undefined;
      const returned = result ?? output ?? rest.error ?? '';
      transcript.addToReply([], facts);
      transcript.addCall(
        key,
        endedCall(openCall(toText(tool), toObject(rest.action ?? rest)), { output: returned, isError }),
      );
      return true;
    }
    default:
      return undefined;
  }
}

/** Codex writes a text, `{ output, metadata: { exit_code } }` as a text, `{ content, success }`, or a list of blocks. */
function outputOf(value: Json | undefined, tally: Tally): ForeignResult {
  if (Array.isArray(value)) return { output: listOutput(value, tally), isError: false };
  const parsed = typeof value === 'string' ? parseJson(value) : value;
  if (!isJsonObject(parsed)) return { output: value ?? '', isError: false };
  const { output, content, success, metadata } = parsed;
  const exitCode = toObject(metadata).exit_code;
  const isError = success === false || (typeof exitCode === 'number' && exitCode !== 0);
  if (metadata !== undefined && output !== undefined) return { output, isError };
  return { output: typeof value === 'string' ? value : (content ?? parsed), isError };
}

function listOutput(value: readonly Json[], tally: Tally): string | readonly Part[] {
  const parts = toParts(value, tally);
  const texts = parts.flatMap((part) => (part.type === 'text' ? part.text : []));
  return texts.length === parts.length ? texts.join('\n') : parts;
}
