import { createAgent } from 'brooklet';

const agent = createAgent({
  client,
  tools,
  formatRejection: ({ name }, { by, who = 'The person', reason }) =>
    `${by === 'policy' ? 'As decided before' : who}: no ${name}${reason ? `, because: ${reason}` : ''}. Offer something else.`,
});

export { agent };

declare const client: LLMClient;
declare const tools: readonly Tool[];

// What the sample leaves to its page.
import type { LLMClient, Tool } from 'brooklet';
