import { fail } from '../error.ts';
import { engine, type Tool } from './tool.ts';

/**
 * Checks that a tool of a server replaces nothing but an earlier tool of that server: the calls and the approval rules of a name would go to
 * another party.
 *
 * @throws AgentError `INVALID_CONFIG`
 */
export function checkTakeover({ name, [engine]: { server } }: Tool, existing: Tool | undefined): void {
  if (server === undefined || existing === undefined || existing[engine].server === server) return;
  const owner = existing[engine].server ?? 'the page';
  fail(
    'INVALID_CONFIG',
    `The tool ${JSON.stringify(name)} of ${server} is not added: ${owner} has a tool of this name. Give the server another name.`,
  );
}
