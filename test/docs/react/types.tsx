import type { Message, ToolsOf } from 'brooklet';
import { useChat } from 'brooklet/react';

type ChatMessage = Message<ToolsOf<typeof agent>>;

function Receipts({ message }: { message: ChatMessage }) {
  return message.content.map((part) => {
    if (part.type !== 'tool' || part.name !== 'pay') return null;
    if (part.status === 'succeeded') return <b key={part.callId}>Paid: {part.output.receipt}</b>;
    if (part.status === 'awaiting-approval') return <i key={part.callId}>{part.input.amount.toFixed(2)} to pay</i>;
    return null;
  });
}

function Payments() {
  const { messages } = useChat<typeof agent>();
  return messages.map((message) => <Receipts key={message.id} message={message} />);
}

// What the sample leaves to its page.
import type { agent } from '../../support/typed-agent.ts';

export { Payments };
