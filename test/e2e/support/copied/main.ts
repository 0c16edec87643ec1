import { createAgent, defineTool } from 'brooklet';
import { mountDevtools } from 'brooklet/devtools';
import { createProviderClient, openaiChat } from 'brooklet/providers';
import { heldIn } from '../../../support/person.ts';

declare global {
  /** Sends a message to the session of the page. Resolves when the run has ended. */
  var send: (text: string) => Promise<unknown>;
  /** The status of the session. */
  var statusOfSession: () => string | undefined;
  /** Rejects the calls that wait for a person. */
  var reject: (reason: string) => Promise<void>;
}

const deleteFiles = defineTool({
  name: 'delete_files',
  description: 'Deletes files.',
  input: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  execute: () => 'deleted',
});

const baseURL = new URLSearchParams(location.search).get('baseURL') ?? '';
const agent = createAgent({
  client: createProviderClient(openaiChat, { baseURL, apiKey: 'none', model: 'm' }),
  tools: [deleteFiles],
});
const id = agent.createSession();
mountDevtools(agent, { inProduction: true, isOpen: true });

globalThis.send = async (text) => (await agent.openSession(id)).send(text);
globalThis.statusOfSession = () => agent.getSession(id)?.getStatus();
globalThis.reject = async (reason) => {
  const session = await agent.openSession(id);
  for (const callId of heldIn(session)) await session.reject(callId, { reason });
};
