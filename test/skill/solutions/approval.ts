import { type Agent, createAgent, defineTool, type LLMClient } from 'brooklet';
import { z } from 'zod';

export function createShop(client: LLMClient, charge: (cents: number) => Promise<string>): Agent {
  const chargeTool = defineTool({
    name: 'charge',
    description: 'Charges the user.',
    input: z.object({ cents: z.int().positive() }),
    needsApproval: ({ cents }) => cents > 1_000,
    execute: ({ cents }) => charge(cents),
  });
  return createAgent({ client, tools: [chargeTool] });
}
