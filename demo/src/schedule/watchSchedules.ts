import type { Agent, ScheduledPrompt } from 'brooklet';
import { BehaviorSubject } from 'rxjs';

const waiting = new BehaviorSubject(0);

/** How many planned prompts are due and wait until the keys are unlocked. */
export const waiting$ = waiting.asObservable();
export const getWaiting = (): number => waiting.value;

/** Sends planned prompts that are due, from now on. @param isReady resolves when the agent has its tools, and its client: that knows whether the key is locked */
export async function watchSchedules(agent: Agent, isReady: () => Promise<unknown>): Promise<void> {
  await isReady();
  agent.schedules$.subscribe((planned) => waiting.next(planned.filter(isLocked).length));
}

/** The key of the model, or that of an encrypted conversation. */
function isLocked({ error }: ScheduledPrompt): boolean {
  return error?.code === 'AUTHENTICATION_LOCKED' || error?.code === 'STORAGE_LOCKED';
}
