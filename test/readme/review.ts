import type { Agent } from 'brooklet';
import { createReview } from 'brooklet/review';

export async function logSteps(agent: Agent, sessionId: string) {
  const stored = await agent.store?.read(sessionId);
  const { steps } = createReview(stored?.events ?? []);
  for (const { model, request, answer, usage } of steps) console.log(model, request, answer, usage);
}
