import { type AgentSession, fingerprintOf, type ToolPart } from 'brooklet';

async function decide(session: AgentSession, call: ToolPart): Promise<void> {
  // The call as it was shown, and the person who decides.
  const signed = { fingerprint: fingerprintOf(call), userName: 'Ada' };

  if (call.name === 'read_calendar') await session.approve(call.callId, { ...signed, remember: 'agent' });
  else if (call.name === 'pay') await session.approve(call.callId, { ...signed, input: { invoice: '17', amount: 9 } });
  else await session.reject(call.callId, { ...signed, reason: 'Ask me again on Monday.' });
}

export { decide };
