import { named, type OptionNames } from '../model/shapes/named.ts';
import { defined } from '../json.ts';
import { copyJson } from '../model/copy-json.ts';
import { readFields, reading } from '../model/shapes/read-input.ts';
import { checkTool } from '../tools/tool.ts';
import type { AgentOptions, OpenOptions, SessionOptions, SessionSetup } from './agent-options.ts';
import { agentFields, checkAgentNames, checkAgentOptions } from './check-options.ts';

const setupNames: OptionNames<SessionSetup> = { instructions: true, tools: true };
export const openNames: OptionNames<OpenOptions> = { ...setupNames, create: true };
export const sessionNames: OptionNames<SessionOptions> = { ...setupNames, id: true, metadata: true };

/**
 * Returns a copy of an agent's options, each read once: sessions that are opened later, and their requests, use what was passed. Presets and
 * `providerParams` are copied by `sessionConfigs` and `createClientChoice`.
 *
 * @throws AgentError `INVALID_CONFIG`
 */
export function readAgentOptions(given: AgentOptions): AgentOptions {
  const options = readFields(given, 'The options of the agent', 'INVALID_CONFIG');
  return reading(
    'An option of the agent',
    () => {
      named(options, agentFields, 'createAgent');
      checkAgentNames(options, 'createAgent');
      checkAgentOptions(options);
      const { budget, context, tools, ports } = options;
      const { summarizer } = context ?? {};
      tools?.forEach(checkTool);
      return {
        ...options,
        ...defined({
          budget: budget && copyJson(budget, '`budget`', 'INVALID_CONFIG'),
          context: context && { ...context, ...(summarizer && { summarizer: { ...summarizer } }) },
          tools: tools && [...tools],
          ports: ports && { ...ports },
        }),
      };
    },
    'INVALID_CONFIG',
  );
}

/**
 * Returns a copy of what a session has of its own.
 *
 * @param options those of the agent
 * @param owner the function that takes the options, which have these `names`
 * @throws AgentError `INVALID_CONFIG`
 */
export function readSetup<Setup extends SessionSetup>(
  given: Setup,
  options: AgentOptions,
  names: OptionNames<NoInfer<Setup>>,
  owner: string,
): Setup {
  const setup = readFields(given, 'The options of the session', 'INVALID_CONFIG');
  named(setup, names, owner);
  const { instructions, tools } = setup;
  return reading(
    'An option of the session',
    () => {
      checkAgentOptions({ ...options, ...defined({ instructions, tools }) });
      tools?.forEach(checkTool);
      return { ...setup, ...(tools && { tools: [...tools] }) };
    },
    'INVALID_CONFIG',
  );
}
