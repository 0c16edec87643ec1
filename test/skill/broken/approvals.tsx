import { useChat } from 'brooklet/react';
import type { ReactNode } from 'react';

/** Cancels the run where a call is rejected. */
export function Approvals({ sessionId }: { sessionId: string }): ReactNode {
  const { approvals, approve, stop } = useChat({ sessionId });
  return approvals.map((call) => (
    <p key={call.callId}>
      {call.name} {JSON.stringify(call.input)}
      <button type="button" onClick={() => void approve(call.callId)}>
        Approve
      </button>
      <button type="button" onClick={stop}>
        Reject
      </button>
    </p>
  ));
}
