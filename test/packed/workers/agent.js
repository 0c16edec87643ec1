import { createAgent, createChatCompletionsClient, createIndexedDBStore, extractTextContent } from './brooklet.min.js';

const client = createChatCompletionsClient({
  baseURL: 'https://api.openai.com/v1',
  apiKey: 'sk-test',
  model: 'gpt-5-mini',
});
const agent = createAgent({ client, store: createIndexedDBStore() });

async function openSession() {
  const { sessions } = await agent.store.list();
  return agent.openSession(sessions[0]?.id ?? agent.createSession());
}
const opening = openSession();

async function serve(port) {
  // A message may come before the session is open.
  port.onmessage = async ({ data }) => (await opening).send(data);
  const session = await opening;
  session.messages$.subscribe((messages) => port.postMessage(messages.map(extractTextContent)));
}

if ('onconnect' in globalThis) globalThis.onconnect = ({ ports: [port] }) => serve(port);
else if ('onfetch' in globalThis) globalThis.onmessage = ({ ports: [port] }) => serve(port);
else serve(globalThis);
