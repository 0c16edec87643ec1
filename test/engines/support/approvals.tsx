import { fingerprintOf } from 'brooklet';
import { useChat } from 'brooklet/react';

/** The calls that wait for a decision, with two buttons each. */
export function Approvals({ sessionId }: { readonly sessionId: string | undefined }) {
  const { approvals, approve, reject } = useChat({ sessionId });
  return approvals.map((call) => {
    const shown = { fingerprint: fingerprintOf(call) };
    return (
      <p key={call.callId}>
        {call.name} {call.inputText} <button onClick={() => void approve(call.callId, shown)}>Approve</button>{' '}
        <button onClick={() => void reject(call.callId, shown)}>Reject</button>
      </p>
    );
  });
}
