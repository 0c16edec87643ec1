import { defineTool, toolParts } from 'brooklet';
import { z } from 'zod';

const pickSeat = defineTool({
  name: 'pick_seat',
  description: 'Lets the person pick one of the free seats.',
  input: z.object({ free: z.array(z.string()).min(1) }),
  answer: ({ free }) => z.enum(free).meta({ title: 'Which seat?' }),
  execute: (_input, { answer }) => ({ seat: answer.toUpperCase() }),
});

const [asked] = session
  .getMessages()
  .flatMap(toolParts)
  .filter((call) => call.status === 'awaiting-approval');
if (asked?.approval?.elicitation) await session.answer(asked.callId, '12A', { userName: 'Ada' });

declare const session: AgentSession;

// What the sample leaves to its page.
import type { AgentSession } from 'brooklet';

export { pickSeat };
