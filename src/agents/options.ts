import type { Agent } from '../core/agent/agent.ts';
import type { AgentOptions } from '../core/agent/agent-options.ts';
import { named, type OptionNames } from '../core/model/shapes/named.ts';
import { budgetFields } from '../core/model/shapes/settings-shape.ts';
import { callable, count, having, maybe, range } from '../core/model/shapes/shape.ts';
import { fail } from '../core/error.ts';
import { isJsonObject } from '../core/json.ts';
import type { Budget } from '../core/model/settings.ts';
import type { InputOf, InputSchema } from '../core/tools/schema.ts';
import type { ToolOptions } from '../core/tools/tool-options.ts';

/** What an agent as a tool has of a tool. */
type OfTool<Input extends InputSchema, Name extends string> = Pick<
  ToolOptions<Input, Name>,
  'name' | 'description' | 'needsApproval' | 'approvalTimeout' | 'timeout' | 'maxOutput'
>;

/** Options of `agentTool`: the agent is given by exactly one of `agent` and `options`. */
export interface AgentToolOptions<Input extends InputSchema, Name extends string = string> extends OfTool<Input, Name> {
  /**
   * The agent that works on the calls, made by `createAgent` without a store or with that of its caller, or a function that returns it: for an
   * agent that calls itself. Its client, tools and instructions are used; the sessions are in the store of the caller.
   */
  readonly agent?: Agent | (() => Agent);
  /** The options of an agent that has no other use. */
  readonly options?: Omit<AgentOptions, 'store' | 'ports'>;
  /** Schema of the input. Default: an object with a text, `task`. */
  readonly input?: Input;
  /** Returns the message to the agent. Default: `task` where the input has that text, else the input as JSON. */
  readonly prompt?: (input: InputOf<Input>) => string;
  /** The limits of one call and of all sessions below it, within those of the caller. A call beyond it fails. */
  readonly budget?: Budget;
  /** Largest number of calls of this tool that run at the same time in one session; the others wait. Default 8. */
  readonly concurrency?: number;
  /** Largest number of sessions from the root down to that of a call: a call that would start a further one fails with `TOO_DEEP`. Default 8. */
  readonly maxDepth?: number;
}

const names: OptionNames<AgentToolOptions<InputSchema>> = {
  name: true,
  description: true,
  needsApproval: true,
  approvalTimeout: true,
  timeout: true,
  maxOutput: true,
  agent: true,
  options: true,
  input: true,
  prompt: true,
  budget: true,
  concurrency: true,
  maxDepth: true,
};

const own = having({
  prompt: maybe(callable),
  budget: maybe(having(budgetFields)),
  concurrency: maybe(count(1)),
  maxDepth: maybe(range(1, 32)),
});

/**
 * Checks what `defineTool` does not.
 *
 * @throws AgentError `INVALID_CONFIG` with the name of the option and what it must be
 */
export function checkAgentTool(options: AgentToolOptions<InputSchema>): void {
  named(options, names, 'agentTool');
  const { agent, options: agentOptions, prompt, budget, concurrency, maxDepth } = options;
  if (isJsonObject(budget)) named(budget, budgetFields, 'agentTool({ budget })');
  const flaw = own({ prompt, budget, concurrency, maxDepth }, '');
  if (flaw)
    fail('INVALID_CONFIG', `The option \`${flaw.field}\` of the tool ${JSON.stringify(options.name)} ${flaw.reason}.`);
  checkAgentGiven({ agent, options: agentOptions }, `The tool ${JSON.stringify(options.name)}`);
}

/** @throws AgentError `INVALID_CONFIG` without exactly one of `agent` and `options` */
export function checkAgentGiven(
  { agent, options }: { readonly agent?: unknown; readonly options?: unknown },
  owner: string,
): void {
  if ((agent === undefined) === (options === undefined))
    fail('INVALID_CONFIG', `${owner} needs either \`agent\` or \`options\`.`);
}
