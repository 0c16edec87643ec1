import { createAgent } from 'brooklet';
import {
  arithmeticTool,
  askTool,
  clockTool,
  createPresenter,
  fetchTool,
  notesTools,
  sandboxTool,
} from 'brooklet/tools';

const agent = createAgent({
  client,
  present: createPresenter(),
  tools: [
    clockTool(),
    arithmeticTool(),
    askTool({ approvalTimeout: 10 * 60_000 }),
    ...notesTools(),
    fetchTool({ origins: ['https://api.example.com'] }),
    sandboxTool(),
  ],
});

declare const client: LLMClient;

// What the sample leaves to its page.
import type { LLMClient } from 'brooklet';

export { agent };
