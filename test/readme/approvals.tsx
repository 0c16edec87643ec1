import { defineTool, fingerprintOf } from 'brooklet';
import { useChat } from 'brooklet/react';
import { z } from 'zod'; // or valibot, arktype, plain JSON Schema

export const pay = defineTool({
  name: 'pay',
  description: 'Pays an invoice.',
  input: z.object({ invoice: z.string(), amount: z.number().positive() }),
  needsApproval: ({ amount }) => amount > 10,
  execute: ({ invoice, amount }) => `Paid ${amount} for ${invoice}.`, // call your payment API here
});

export function Approvals({ sessionId }: { sessionId: string | undefined }) {
  const { approvals, approve, reject } = useChat({ sessionId });
  return approvals.map((call) => {
    const shown = { fingerprint: fingerprintOf(call) }; // the call that runs is the call that was shown
    return (
      <p key={call.callId}>
        {call.name} {call.inputText} <button onClick={() => void approve(call.callId, shown)}>Approve</button>{' '}
        <button onClick={() => void reject(call.callId, shown)}>Reject</button>
      </p>
    );
  });
}
