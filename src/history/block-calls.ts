import { isJsonObject, parseJson, type Json, type JsonObject } from '../core/json.ts';
import type { Part } from '../core/model/message.ts';
import { toObject, toText } from '../core/model/read-json.ts';
import { type ForeignCall, type ForeignResult, openCall } from './foreign-call.ts';
import { toOutput } from './output.ts';
import type { Tally } from './tally.ts';

// Calls and results that are blocks of a message: of Anthropic (`tool_use`, `server_tool_use`, `mcp_tool_use`, and what they return), of the
// AI SDK's `ModelMessage` (`tool-call`, `tool-result`), and of Google's `Content` (`functionCall`, `functionResponse`).

/** Returns the call that a block is; `undefined` for a block of another kind. */
export function blockCall(block: Json): { readonly id: string; readonly call: ForeignCall } | undefined {
  if (!isJsonObject(block)) return undefined;
  const { type, id, name, input } = block;
  if (type === 'tool-call') {
    const given = block.input ?? block.args;
    const parsed = typeof given === 'string' ? (parseJson(given) ?? given) : given;
    return { id: toText(block.toolCallId), call: openCall(toText(block.toolName), parsed) };
  }
  if (typeof type === 'string' && type.endsWith('tool_use'))
    return { id: toText(id), call: openCall(toText(name), input) };
  if (type !== undefined || !isJsonObject(block.functionCall)) return undefined;
  const called = block.functionCall;
  return { id: googleId(called), call: openCall(toText(called.name), called.args) };
}

interface BlockResult extends ForeignResult {
  /** Id of the call. */
  readonly id: string;
}

/** Returns the result that a block is; `undefined` for a block of another kind. */
export function blockResult(block: Json, tally: Tally): BlockResult | undefined {
  if (!isJsonObject(block)) return undefined;
  const { type } = block;
  if (type === 'tool-result') return { id: toText(block.toolCallId), ...sdkResult(block) };
  if (typeof type === 'string' && type.endsWith('tool_result'))
    return { id: toText(block.tool_use_id), output: toOutput(block.content), isError: block.is_error === true };
  if (type !== undefined || !isJsonObject(block.functionResponse)) return undefined;
  const { response, parts } = block.functionResponse;
  if (Array.isArray(parts)) tally.leave('file', 'unknown', parts.length);
  const { output, error } = toObject(response);
  return {
    id: googleId(block.functionResponse),
    output: error ?? output ?? response ?? '',
    isError: error !== undefined,
  };
}

/** A result in versions 4 (`result`) and 5 to 7 (`output { type, value }`) of the AI SDK. */
function sdkResult({ output, result, isError }: JsonObject): {
  readonly output: Json | readonly Part[];
  readonly isError: boolean;
} {
  if (!isJsonObject(output)) return { output: result ?? output ?? '', isError: isError === true };
  const { type, value, reason } = output;
  const isFailure = type === 'error-text' || type === 'error-json' || type === 'execution-denied';
  return { output: type === 'content' ? toOutput(value) : (value ?? reason ?? ''), isError: isFailure };
}

/** Calls of Google may have no id: a result belongs to the latest call with its name. */
function googleId({ id, name }: JsonObject): string {
  return toText(id) || `function ${toText(name)}`;
}
