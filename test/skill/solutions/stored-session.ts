import { type AgentSession, createAgent, type LLMClient } from 'brooklet';
import { createIndexedDBStore } from 'brooklet/storage';

export async function openLatest(client: LLMClient, name: string): Promise<AgentSession> {
  const store = createIndexedDBStore({ name });
  const agent = createAgent({ client, store });
  const { sessions } = await store.list({ limit: 1 });
  return agent.openSession(sessions[0]?.id ?? agent.createSession());
}
