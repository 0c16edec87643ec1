import { fingerprintOf } from 'brooklet';
import { useChat } from 'brooklet/react';
import type { ReactNode } from 'react';

export function Approvals({ sessionId }: { sessionId: string }): ReactNode {
  const { approvals, approve, reject } = useChat({ sessionId });
  return approvals.map((call) => {
    const fingerprint = fingerprintOf(call);
    return (
      <fieldset key={call.callId}>
        <legend>{call.name}</legend>
        <pre>{JSON.stringify(call.input)}</pre>
        <button type="button" onClick={() => void approve(call.callId, { fingerprint })}>
          Approve
        </button>
        <button type="button" onClick={() => void reject(call.callId, { fingerprint, reason: 'Not now.' })}>
          Reject
        </button>
      </fieldset>
    );
  });
}
