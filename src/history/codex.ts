import type { ToolResult, ToolUse } from './tool-messages.ts';
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts';
import { toWord } from '../core/model/read-json.ts';
import { toOutput } from './output.ts';

/**
 * Reads one parsed line of `codex exec --json`. A started item becomes a `tool_use`. A completed item becomes a
 * `tool_result` with name and input, because Codex does not emit `item.started` for every item. Other lines are returned
 * unchanged.
 */
export function readCodex(line: Json): readonly (Json | ToolUse | ToolResult)[] {
  if (!isJsonObject(line) || !isJsonObject(line.item) || typeof line.item.id !== 'string') return [line];
  const { item } = line;
  const { id } = line.item;
  const call = readItem(item);
  if (call === undefined) return [line];
  const { name, input, output, data } = call;
  if (line.type === 'item.started') return [{ type: 'tool_use', id, name, input }];
  if (line.type !== 'item.completed') return [line];
  const isError = item.status === 'failed' || item.status === 'declined';
  return [{ type: 'tool_result', toolUseId: id, name, input, output, isError, ...(data && { data }) }];
}

type ItemCall = Pick<ToolUse, 'name' | 'input'> & Pick<ToolResult, 'output'> & { readonly data?: JsonObject };

function readItem(item: JsonObject): ItemCall | undefined {
  switch (item.type) {
    case 'command_execution': {
      const { command = '', aggregated_output: output = '', exit_code: exitCode } = item;
      return {
        name: 'shell',
        input: { command },
        output,
        data: { stdout: output, ...(exitCode !== undefined && { exitCode }) },
      };
    }
    case 'file_change':
      return { name: 'file_change', input: { changes: item.changes ?? [] }, output: item.status ?? '' };
    case 'mcp_tool_call': {
      const { result, error } = item;
      const output = isJsonObject(error)
        ? (error.message ?? '')
        : toOutput(isJsonObject(result) ? result.content : result);
      return {
        name: `mcp__${toWord(item.server) || '?'}__${toWord(item.tool) || '?'}`,
        input: item.arguments ?? {},
        output,
      };
    }
    case 'web_search':
      return { name: 'web_search', input: { query: item.query ?? '' }, output: '' };
    default:
      return undefined;
  }
}
