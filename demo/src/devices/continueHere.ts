import type { AgentSession, ToolPart } from 'brooklet';

/** Decides calls as this device has proposed to the device that asked, and goes on with the run here. */
export async function continueHere(session: AgentSession, calls: readonly ToolPart[]): Promise<void> {
  for (const { callId, approval } of calls) {
    const { proposal } = approval ?? {};
    if (proposal === undefined) continue;
    const { verdict, answer, input, reason, ...options } = proposal;
    if (verdict === 'rejected') await session.reject(callId, { ...options, ...(reason !== undefined && { reason }) });
    else if (answer !== undefined) await session.answer(callId, answer, options);
    else await session.approve(callId, { ...options, ...(input && { input }) });
  }
}
