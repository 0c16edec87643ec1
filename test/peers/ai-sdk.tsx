import { useChat } from '@ai-sdk/react';
import { lastAssistantMessageIsCompleteWithApprovalResponses, type UIMessage } from 'ai';

type Messages = UIMessage<unknown, never, { pay: { input: { amount: number }; output: string } }>;

export function Payments() {
  const { messages, sendMessage, addToolApprovalResponse } = useChat<Messages>({
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  });
  const waiting = messages
    .flatMap(({ parts }) => parts)
    .flatMap((part) => (part.type === 'tool-pay' && part.state === 'approval-requested' ? part : []));
  return (
    <>
      <button onClick={() => sendMessage({ text: 'Pay 20 for invoice A-17.' })}>Pay</button>
      {waiting.map(({ approval: { id }, input }) => (
        <button key={id} onClick={() => addToolApprovalResponse({ id, approved: true })}>Pay {input.amount}</button>
      ))}
    </>
  );
}
