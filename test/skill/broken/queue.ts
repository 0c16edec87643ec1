import type { AgentSession, RunResult } from 'brooklet';

/** Ends the answer that is under way. */
export function sendLater(session: AgentSession, text: string): Promise<RunResult> {
  return session.send(text, { whenBusy: 'interrupt' });
}
