import type { ToolResult, ToolUse } from './tool-messages.ts';
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts';
import { toOutput } from './output.ts';

/**
 * Reads one parsed line of `claude -p --output-format stream-json --verbose`, or of a Claude Code transcript. A line whose
 * content has tool calls or results is split, in order, into those and into copies of the line with the remaining blocks.
 * Any other line is returned unchanged.
 */
export function readClaudeCode(line: Json): readonly (Json | ToolUse | ToolResult)[] {
  if (!isJsonObject(line) || !isJsonObject(line.message) || !Array.isArray(line.message.content)) return [line];
  const { message } = line;
  const blocks: readonly Json[] = line.message.content;
  const toolMessages = blocks.map((block) => readBlock(block, line));
  if (toolMessages.every((toolMessage) => toolMessage === undefined)) return [line];

  const pieces: (Json | ToolUse | ToolResult)[] = [];
  let rest: Json[] = [];
  const flush = (): void => {
    if (rest.length > 0) pieces.push({ ...line, message: { ...message, content: rest } });
    rest = [];
  };
  for (const [index, toolMessage] of toolMessages.entries()) {
    if (toolMessage === undefined) rest.push(blocks[index] ?? null);
    else {
      flush();
      pieces.push(toolMessage);
    }
  }
  flush();
  return pieces;
}

function readBlock(block: Json, line: JsonObject): ToolUse | ToolResult | undefined {
  if (!isJsonObject(block) || typeof block.type !== 'string') return undefined;
  const { type, id, name, tool_use_id: toolUseId } = block;
  // Only transcripts have timestamps.
  const time = typeof line.timestamp === 'string' && { timestamp: line.timestamp };
  if (type.endsWith('tool_use') && typeof id === 'string' && typeof name === 'string') {
    const parent = line.parent_tool_use_id;
    const belongs = typeof parent === 'string' && { parentToolUseId: parent };
    // Transcripts do not name the call that started the sub-agent.
    const side = line.isSidechain === true && { isSidechain: true };
    return { type: 'tool_use', id, name, input: block.input ?? {}, ...time, ...belongs, ...side };
  }
  if (type.endsWith('tool_result') && typeof toolUseId === 'string') {
    const data = readData(line);
    const isError = block.is_error === true;
    return { type: 'tool_result', toolUseId, output: toOutput(block.content), isError, ...time, ...(data && { data }) };
  }
  return undefined;
}

/** Returns the structured result of the tool, if the result contains the streams of a command or a list of file names. */
function readData(line: JsonObject): JsonObject | undefined {
  const data = line.tool_use_result ?? line.toolUseResult;
  return isJsonObject(data) && ('stdout' in data || 'filenames' in data) ? data : undefined;
}
