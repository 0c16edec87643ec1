import type { Agent } from '../core/agent/agent.ts';
import { createAgent } from '../core/agent/create-agent.ts';
import { copyJson } from '../core/model/copy-json.ts';
import { readFields, reading } from '../core/model/shapes/read-input.ts';
import { fail } from '../core/error.ts';
import { defined } from '../core/json.ts';
import { defineTool } from '../core/tools/define-tool.ts';
import type { InputSchema, JsonSchema, UnconvertedOf } from '../core/tools/schema.ts';
import { engine, type Tool } from '../core/tools/tool.ts';
import { executeInSession } from './execute-in-session.ts';
import { type AgentToolOptions, checkAgentTool } from './options.ts';

const taskSchema: JsonSchema = {
  type: 'object',
  properties: {
    task: { type: 'string', description: 'What to do, with all that is needed to do it.' },
  },
  required: ['task'],
};

/**
 * Returns a tool whose calls an agent works on. Each call is a session of its own in the store of the caller, `ToolPart.session`: it is
 * followed live with `agent.openSession`, its calls wait for a person at the root, and a run that is resumed continues it. The result of the
 * call is the text of the agent's answer.
 *
 *     const researcher = agentTool({
 *       name: 'research',
 *       description: 'Researches one question.',
 *       options: { client, instructions: 'Research the question.', tools: [search] },
 *       budget: { steps: 20 },
 *     });
 *     const agent = createAgent({ client, tools: [researcher], store });
 *
 * @throws AgentError `INVALID_CONFIG` as `defineTool` and `createAgent` do, and without exactly one of `agent` and `options`
 */
export function agentTool<const Name extends string, const Input extends InputSchema = JsonSchema>(
  options: AgentToolOptions<Input, Name>,
): Tool<Name, UnconvertedOf<Input>, string>;
export function agentTool(given: AgentToolOptions<InputSchema>): Tool {
  const options = readFields(given, 'The options of a tool', 'INVALID_CONFIG');
  reading('An option of a tool', () => checkAgentTool(options), 'INVALID_CONFIG');
  const { agent, name, description, needsApproval, approvalTimeout, timeout, maxOutput } = options;
  const { concurrency = 8, maxDepth = 8, prompt = promptOf, input = taskSchema } = options;
  const budget = options.budget && copyJson(options.budget, '`budget`', 'INVALID_CONFIG');
  const made = agent ?? createAgent(options.options ?? fail('INVALID_CONFIG', `The tool ${name} has no agent.`));
  const agentOf = (): Agent => (typeof made === 'function' ? made() : made);
  const tool = defineTool({
    name,
    description,
    input,
    idempotent: true,
    ...defined({ needsApproval, approvalTimeout, timeout, maxOutput }),
    // The session of the call gets what is returned here.
    execute: (value) => prompt(value),
    present: (_input, output) => summaryOf(output),
  });
  return {
    ...tool,
    concurrency,
    [engine]: {
      ...tool[engine],
      agent: agentOf,
      execute: (call, env) => executeInSession(call, env, tool[engine], { agentOf, budget, maxDepth }),
    },
  };
}

/** Characters of the answer in the line of a call, at most. */
const longestSummary = 200;

/** The first line of the answer. */
function summaryOf(output: unknown): { readonly summary?: string } {
  const [line = ''] = typeof output === 'string' ? output.trim().split('\n', 1) : [];
  return line === '' ? {} : { summary: line.slice(0, longestSummary) };
}

function promptOf(input: unknown): string {
  const task = typeof input === 'object' && input !== null && 'task' in input ? input.task : undefined;
  return typeof task === 'string' ? task : JSON.stringify(input);
}
