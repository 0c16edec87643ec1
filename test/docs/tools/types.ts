import { createAgent, type Message, toolParts, type ToolsOf } from 'brooklet';

const agent = createAgent({ client, tools: [pay, pickSeat] });
type ChatMessage = Message<ToolsOf<typeof agent>>;

function receipts(message: ChatMessage): readonly string[] {
  return toolParts(message).flatMap((call) => {
    if (call.name === 'pay' && call.status === 'succeeded') return call.output.receipt; // a string
    if (call.name === 'pay' && call.status === 'awaiting-approval') return `${call.input.amount} to pay`; // a number
    return [];
  });
}

// What the sample leaves to its page.
import { client, pay, pickSeat } from '../../support/typed-agent.ts';

export { receipts };
