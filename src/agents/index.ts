// Agents as tools of other agents, and handoffs between agents.
export { agentTool } from './agent-tool.ts';
export { handoffTo } from './handoff-to.ts';
export type { HandoffOptions } from './handoff-to.ts';
export type { AgentToolOptions } from './options.ts';
