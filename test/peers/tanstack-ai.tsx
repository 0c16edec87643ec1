import { fetchServerSentEvents, useChat } from '@tanstack/ai-react';
import { payDefinition } from './tanstack-ai-route';

export function Payments() {
  const { sendMessage, interrupts } = useChat({
    connection: fetchServerSentEvents('/api/chat'),
    tools: [payDefinition.client()],
  });
  return (
    <>
      <button onClick={() => sendMessage('Pay 20 for invoice A-17.')}>Pay</button>
      {interrupts.map((interrupt) =>
        interrupt.kind === 'tool-approval' ? (
          <button key={interrupt.id} onClick={() => interrupt.resolveInterrupt(true)}>Pay {interrupt.originalArgs.amount}</button>
        ) : null,
      )}
    </>
  );
}
