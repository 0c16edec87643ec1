import type { ToolSpec } from '../core/model/settings.ts';
import { defineTool } from '../core/tools/define-tool.ts';
import type { Tool } from '../core/tools/tool.ts';
import type { ReviewCall } from '../review/review-call.ts';
import { isSameJson } from '../review/replay/differences.ts';

/**
 * Returns a tool without effects: a call with a recorded input has the recorded result, and any other call fails.
 *
 * @param calls the recorded calls of all tools
 */
export function createRecordedTool({ name, description, inputSchema }: ToolSpec, calls: readonly ReviewCall[]): Tool {
  return defineTool({
    name,
    description,
    input: inputSchema,
    execute(given) {
      const isSame = (call: ReviewCall): boolean =>
        call.name === name && isSameJson(call.decision?.editedInput ?? call.input, given);
      const call = calls.findLast((one) => isSame(one) && one.outcome !== undefined);
      if (call?.outcome === 'succeeded') return call.output ?? null;
      throw new Error(typeof call?.output === 'string' ? call.output : 'No result is recorded for this input.');
    },
  });
}
