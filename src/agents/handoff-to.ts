import { map } from 'rxjs';
import type { Agent } from '../core/agent/agent.ts';
import { createAgent } from '../core/agent/create-agent.ts';
import { knownAgent } from '../core/agent/known-agents.ts';
import { fail } from '../core/error.ts';
import { defined } from '../core/json.ts';
import { named, type OptionNames } from '../core/model/shapes/named.ts';
import { readFields, reading } from '../core/model/shapes/read-input.ts';
import { defineTool } from '../core/tools/define-tool.ts';
import type { JsonSchema } from '../core/tools/schema.ts';
import { engine, type Tool } from '../core/tools/tool.ts';
import { checkAgentGiven, type AgentToolOptions } from './options.ts';

/** Options of `handoffTo`: the agent is given by exactly one of `agent` and `options`. */
export interface HandoffOptions extends Pick<
  AgentToolOptions<JsonSchema>,
  'agent' | 'options' | 'needsApproval' | 'approvalTimeout'
> {
  /** Name of the agent: letters, digits, `_` and `-`. The tool is `transfer_to_<name>`. */
  readonly name: string;
  /** When to pass the conversation to this agent, for the model. */
  readonly description: string;
}

const names: OptionNames<HandoffOptions> = {
  name: true,
  description: true,
  agent: true,
  options: true,
  needsApproval: true,
  approvalTimeout: true,
};

/**
 * Returns a tool that passes the conversation to another agent: when its call has succeeded, the requests of the session have the instructions,
 * the tools and the client of that agent, until it passes the conversation on. The log is one, and so is the run: its limits are those of the
 * session's own agent. What was asked before the handoff and is regenerated or edited belongs to the agent of that point again.
 *
 *     const billing = handoffTo({
 *       name: 'billing',
 *       description: 'For invoices and refunds.',
 *       options: { client, instructions: 'You handle invoices.', tools: [refund] },
 *     });
 *     const agent = createAgent({ client, instructions: 'Find out what the customer needs.', tools: [billing], store });
 *
 * A request after a handoff to an agent that the page has no more fails with `TOOL_NOT_FOUND`.
 *
 * @throws AgentError `INVALID_CONFIG` as `defineTool` and `createAgent` do, and without exactly one of `agent` and `options`
 */
export function handoffTo(given: HandoffOptions): Tool {
  const options = readFields(given, 'The options of a handoff', 'INVALID_CONFIG');
  reading('An option of a handoff', () => checkHandoff(options), 'INVALID_CONFIG');
  const { name, description, agent, needsApproval, approvalTimeout } = options;
  const made = agent ?? createAgent(options.options ?? fail('INVALID_CONFIG', `The agent ${name} has no options.`));
  const tool = defineTool({
    name: `transfer_to_${name}`,
    description,
    input: { type: 'object', properties: {} },
    idempotent: true,
    ...defined({ needsApproval, approvalTimeout }),
    execute: () => `The conversation is passed to ${name}.`,
  });
  const agentOf = (): Agent => (typeof made === 'function' ? made() : made);
  return {
    ...tool,
    [engine]: {
      ...tool[engine],
      handoff: agentOf,
      execute: (call, env) =>
        tool[engine]
          .execute(call, env)
          .pipe(
            map((event) =>
              event.type === 'call.ended' && event.outcome === 'succeeded' ? { ...event, handoff: name } : event,
            ),
          ),
    },
  };
}

function checkHandoff(options: HandoffOptions): void {
  named(options, names, 'handoffTo');
  if (typeof options.name !== 'string' || options.name === '')
    fail('INVALID_CONFIG', 'The option `name` of a handoff is not a text with letters.');
  checkAgentGiven(options, `The handoff to ${JSON.stringify(options.name)}`);
  const { agent } = options;
  if (agent !== undefined && typeof agent !== 'function' && knownAgent(agent) === undefined)
    fail('INVALID_CONFIG', `The option \`agent\` of the handoff to ${options.name} was not made by createAgent.`);
}
