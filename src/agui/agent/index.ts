export { AGUIAgent, type AGUIAgentConfig } from './agui-agent.ts';
