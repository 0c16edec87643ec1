import { decide } from './decide.ts';
import { execute } from './execute.ts';
import { engine, type Tool } from './tool.ts';
import type { CheckedTool } from './tool-types.ts';

/**
 * Returns a tool that another party offers: its approvals and approval rules apply to the given version, and its calls name the party.
 *
 * @param version a cryptographic digest where another party writes the definition: that party could find two definitions with the same `hash`
 * @param server see `ToolPart.server`
 */
export function withVersion(tool: Tool, version: string, server: string): Tool {
  const inner = tool[engine];
  const checked: CheckedTool = { ...inner, version, server };
  return {
    ...tool,
    [engine]: {
      ...inner,
      version,
      server,
      decide: (call, env) => decide(call, checked, env),
      execute: (call, env) => execute(call, checked, env),
    },
  };
}
