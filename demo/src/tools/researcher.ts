import type { LLMClient } from 'brooklet';
import { agentTool } from 'brooklet/agents';
import { arithmeticTool, clockTool, notesTools } from 'brooklet/tools';
import { defer, switchMap } from 'rxjs';

/** The model that is chosen when a request is made. */
const client: LLMClient = {
  sendRequest: (request) =>
    defer(async () => (await import('../model/clients.ts')).createPresent()).pipe(
      switchMap((chosen) => chosen.client.sendRequest(request)),
    ),
};

/** An agent within the agent: its conversation is one of its own, and what it wants to save is decided in the conversation that asked it. */
export const askResearcher = agentTool({
  name: 'ask_researcher',
  description:
    'Gives one question to a researcher, an agent of its own that reads nothing of this conversation. It can look up the time, calculate, and save notes.',
  options: {
    client,
    instructions: 'You are a researcher. Answer the one question that you are given, in a sentence or two.',
    tools: [clockTool(), arithmeticTool(), ...notesTools({ needsApproval: { add: true, delete: true } })],
    contextWindow: 128_000,
  },
  budget: { steps: 8 },
});
