import { type Agent, createAgent, type LLMClient, type Tool } from 'brooklet';

/** Limits tokens, and leaves the number of requests at its default. */
export function createFrugalAgent(client: LLMClient, tools: readonly Tool[]): Agent {
  return createAgent({ client, tools, budget: { tokens: 3 } });
}
