import { defineTool, type Tool } from 'brooklet';
import { z } from 'zod';

export function createSeatTool(): Tool {
  return defineTool({
    name: 'pick_seat',
    description: 'Lets the user pick one of the free seats.',
    input: z.object({ free: z.array(z.string()).min(1) }),
    answer: ({ free }) => z.enum(free).meta({ title: 'Which seat?' }),
    execute: (_input, { answer }) => ({ seat: answer }),
  });
}
