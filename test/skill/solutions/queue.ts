import type { AgentSession, RunResult } from 'brooklet';

export function sendLater(session: AgentSession, text: string): Promise<RunResult> {
  return session.send(text, { whenBusy: 'queue' });
}
