import type { Agent } from 'brooklet';

/** Sends planned prompts that are due, from now on. @param isReady resolves when the agent has its tools */
export async function watchSchedules(agent: Agent, isReady: () => Promise<unknown>): Promise<void> {
  await isReady();
  agent.schedules$.subscribe();
}
