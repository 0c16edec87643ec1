import { fingerprintOf } from 'brooklet';
import { useChat } from 'brooklet/react';

function Approvals({ sessionId }: { sessionId: string }) {
  const { approvals, approve, reject } = useChat({ sessionId });
  return approvals.map((call) => {
    const shown = { fingerprint: fingerprintOf(call) };
    return (
      <fieldset key={call.callId}>
        <legend>{call.name}</legend>
        <pre>{JSON.stringify(call.input, null, 2)}</pre>
        <button onClick={() => void approve(call.callId, shown)}>Run it</button>
        <button onClick={() => void approve(call.callId, { ...shown, remember: 'session' })}>Always here</button>
        <button onClick={() => void reject(call.callId, { ...shown, reason: 'Not on my machine.' })}>No</button>
      </fieldset>
    );
  });
}

export { Approvals };
