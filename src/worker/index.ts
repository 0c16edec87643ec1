export { hostAgent } from './host-agent.ts';
export type { AgentPlace, CreateOptions, HostOptions, SharedAgentOptions } from './host-options.ts';
export { connectAgent } from './connect-agent.ts';
export type { ConnectedAgent, DisconnectOptions } from './connected-agent.ts';
export type { ConnectOptions, KeySource } from './connect-options.ts';
export type { HostStatus, PageReason } from './host-status.ts';
export type { WorkerLike } from './connection.ts';
export type { WorkerNaming } from './naming.ts';
export type { ToolWait } from './protocol.ts';
