import { decide } from './decide.ts';
import { execute } from './execute.ts';
import { engine, type Tool } from './tool.ts';
import type { CheckedTool } from './tool-types.ts';

/**
 * Returns a tool whose approvals and approval rules apply to the given version.
 *
 * @param version a cryptographic digest where another party writes the definition: that party could find two definitions with the same `hash`
 */
export function withVersion(tool: Tool, version: string): Tool {
  const inner = tool[engine];
  const checked: CheckedTool = { ...inner, version };
  return {
    ...tool,
    [engine]: {
      ...inner,
      version,
      decide: (call, env) => decide(call, checked, env),
      execute: (call, env) => execute(call, checked, env),
    },
  };
}
