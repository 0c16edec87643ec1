import type { EventBody } from '../log/event.ts';
import type { ToolPart } from '../message.ts';
import type { Tool } from './tool.ts';

/** What becomes of a call that the model has asked for: invalid, held for a person, or let through. Never throws. */
export async function decide(call: ToolPart, tools: ReadonlyMap<string, Tool>): Promise<EventBody> {
  const { callId, name, input, inputText } = call;
  const invalid = (output: string): EventBody => ({ type: 'call.ended', callId, outcome: 'invalid', output });
  const tool = tools.get(name);
  if (tool === undefined) {
    return invalid(
      `There is no tool ${JSON.stringify(name.slice(0, 64))}. There are: ${[...tools.keys()].join(', ') || 'none'}.`,
    );
  }
  if (input === undefined) return invalid(`Not run: the input is not a JSON object: ${inputText.slice(0, 200)}`);
  const checked = await tool.check(input);
  if (checked.problem !== undefined) return invalid(`Not run: the input does not fit the schema: ${checked.problem}`);
  return (await checked.needsApproval())
    ? { type: 'call.held', callId }
    : { type: 'call.decided', callId, verdict: 'approved', by: 'policy' };
}
