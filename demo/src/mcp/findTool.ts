import type { MCPTool } from 'brooklet/mcp';
import { serverNameOf } from './serverNameOf.ts';
import { findServer } from './servers.ts';
import { stateOf } from './states.ts';

/** Returns a tool of a connected server, by the name that the model calls. */
export function findTool(toolName: string): MCPTool | undefined {
  const state = stateOf(serverNameOf(toolName) ?? '');
  const server = 'server' in state ? state.server : undefined;
  return server?.getTools().find(({ tool }) => tool.name === toolName);
}

/** Whether the user trusts the server that a tool only reads. */
export function isReadOnly(toolName: string): boolean {
  const { definition } = findTool(toolName) ?? {};
  return findServer(serverNameOf(toolName))?.isTrusted === true && definition?.annotations.readOnlyHint === true;
}
