import type { AgentSession, ToolPart } from 'brooklet';
import type { Proposal } from 'brooklet/core';

/** Decides calls as this device has proposed to the device that asked, and goes on with the run here. */
export async function continueHere(session: AgentSession, calls: readonly ToolPart[]): Promise<void> {
  for (const { callId, approval } of calls) if (approval?.proposal) await decideAs(session, callId, approval.proposal);
}

/** Decides a call as somebody else has, and goes on with the run here. */
export async function decideAs(
  session: AgentSession,
  callId: string,
  { verdict, answer, input, reason, ...options }: Proposal,
): Promise<void> {
  if (verdict === 'rejected') await session.reject(callId, { ...options, ...(reason !== undefined && { reason }) });
  else if (answer !== undefined) await session.answer(callId, answer, options);
  else await session.approve(callId, { ...options, ...(input && { input }) });
}
