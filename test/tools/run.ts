import type { Json, JsonObject, Part, Tool, ToolContext } from 'brooklet';
import type { Presentation } from 'brooklet/tools';
import { engine } from '../../src/core/tools/tool.ts';

interface Ran {
  readonly output: Json;
  readonly presentation: Presentation;
  readonly needsApproval: boolean;
}

/** Runs a tool without an agent, through its schema. */
export async function run(tool: Tool, input: JsonObject, context: Partial<ToolContext> = {}): Promise<Ran> {
  const checked = await tool[engine].check(input);
  if (checked.problem !== undefined) throw new Error(`refused: ${checked.problem}`);
  const usual = {
    signal: new AbortController().signal,
    sessionId: 's',
    callId: 'c',
    idempotencyKey: 's/c',
    attempt: 1,
    progress: () => {},
  };
  const result = await checked.execute({ ...usual, ...context });
  const output: Json = JSON.parse(JSON.stringify(result));
  const presentable: Json | readonly Part[] = output;
  return { output, presentation: checked.present(presentable), needsApproval: await checked.needsApproval() };
}

/** Whether a call needs approval. */
export async function asks(tool: Tool, input: JsonObject): Promise<boolean> {
  const checked = await tool[engine].check(input);
  if (checked.problem !== undefined) throw new Error(`refused: ${checked.problem}`);
  return checked.needsApproval();
}
