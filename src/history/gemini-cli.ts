import type { ToolResult, ToolUse } from './tool-messages.ts';
import { isJsonObject, type Json } from '../core/json.ts';

/** Reads one parsed line of `gemini -p --output-format stream-json`. Returns a line without a call unchanged. */
export function readGeminiCli(line: Json): readonly (Json | ToolUse | ToolResult)[] {
  if (!isJsonObject(line)) return [line];
  const { type, tool_id: id, tool_name: name, timestamp, status, output, error } = line;
  if (typeof id !== 'string') return [line];
  const time = typeof timestamp === 'string' && { timestamp };
  if (type === 'tool_use' && typeof name === 'string') {
    return [{ type, id, name, input: line.parameters ?? {}, ...time }];
  }
  if (type !== 'tool_result') return [line];
  const problem = isJsonObject(error) ? error.message : undefined;
  return [{ type, toolUseId: id, output: output ?? problem ?? '', isError: status === 'error', ...time }];
}
