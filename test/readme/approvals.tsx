import { defineTool } from 'brooklet';
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
  return approvals.map(({ callId, name, inputText }) => (
    <p key={callId}>
      {name} {inputText} <button type="button" onClick={() => void approve(callId)}>Approve</button>{' '}
      <button type="button" onClick={() => void reject(callId)}>Reject</button>
    </p>
  ));
}
