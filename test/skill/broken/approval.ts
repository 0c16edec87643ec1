import { type Agent, createAgent, defineTool, type LLMClient } from 'brooklet';
import { z } from 'zod';

/** Asks in a dialog of the browser, within the call. */
export function createShop(client: LLMClient, charge: (cents: number) => Promise<string>): Agent {
  const chargeTool = defineTool({
    name: 'charge',
    description: 'Charges the user.',
    input: z.object({ cents: z.int().positive() }),
    async execute({ cents }) {
      if (cents > 1_000 && !globalThis.confirm?.(`Pay ${cents} cents?`)) throw new Error('The user refused.');
      return charge(cents);
    },
  });
  return createAgent({ client, tools: [chargeTool] });
}
