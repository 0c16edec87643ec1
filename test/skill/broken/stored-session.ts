import { type AgentSession, createAgent, type LLMClient } from 'brooklet';
import { createIndexedDBStore } from 'brooklet/storage';

/** Stores each conversation, and always starts a new one. */
export async function openLatest(client: LLMClient, name: string): Promise<AgentSession> {
  const agent = createAgent({ client, store: createIndexedDBStore({ name }) });
  return agent.openSession(agent.createSession());
}
