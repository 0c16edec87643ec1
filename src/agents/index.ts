// Agents as tools of other agents.
export { agentTool } from './agent-tool.ts';
export type { AgentToolOptions } from './options.ts';
