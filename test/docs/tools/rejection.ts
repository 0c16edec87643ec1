import { createAgent } from 'brooklet';

const agent = createAgent({
  client,
  tools,
  formatRejection: ({ name }, { decidedBy, userName = 'The person', reason }) =>
    `${decidedBy === 'rule' ? 'An approval rule' : userName}: no ${name}${reason ? `, because: ${reason}` : ''}. Offer something else.`,
});

export { agent };

declare const client: LLMClient;
declare const tools: readonly Tool[];

// What the sample leaves to its page.
import type { LLMClient, Tool } from 'brooklet';
