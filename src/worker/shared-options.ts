import { fail } from '../core/error.ts';
import { checkTool, type Tool } from '../core/tools/tool.ts';
import type { AgentPlace, CreateOptions, SharedAgentOptions } from './host-options.ts';

/**
 * Returns what `create` makes, in the worker or in a page.
 *
 * @throws AgentError `INVALID_CONFIG` where it returns no options, and what `create` throws
 */
export function readShared(create: CreateOptions, place: AgentPlace): SharedAgentOptions {
  const made: unknown = create(place);
  if (typeof made !== 'object' || made === null || made instanceof Promise)
    return fail(
      'INVALID_CONFIG',
      `\`create\` must return the options of the agent at once, not ${made instanceof Promise ? 'a Promise' : 'nothing'}.`,
    );
  const options: SharedAgentOptions = made;
  if (options.wrapTool !== undefined && typeof options.wrapTool !== 'function')
    fail('INVALID_CONFIG', 'The option `wrapTool` of an agent in a worker must be a function.');
  return options;
}

/**
 * Returns the tool of a page with the rules of `wrapTool`. Invariant: a tool is never used without them.
 *
 * @throws AgentError `INVALID_CONFIG` where `wrapTool` returns no tool of the same name
 */
export function wrapped(tool: Tool, wrapTool: SharedAgentOptions['wrapTool']): Tool {
  if (wrapTool === undefined) return tool;
  const made: Tool | undefined = wrapTool(tool);
  if (made?.name !== tool.name)
    fail('INVALID_CONFIG', `\`wrapTool\` must return a tool of the same name for ${JSON.stringify(tool.name)}.`);
  checkTool(made);
  return made;
}
