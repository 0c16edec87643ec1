import { type Agent, createAgent, type LLMClient, type Tool } from 'brooklet';

export function createFrugalAgent(client: LLMClient, tools: readonly Tool[]): Agent {
  return createAgent({ client, tools, maxSteps: 3 });
}
