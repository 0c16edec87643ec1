import { createAgent, createChatCompletionsClient, extractTextContent } from 'brooklet';
import { createIndexedDBStore } from 'brooklet/storage';
import { lastValueFrom } from 'rxjs';

const client = createChatCompletionsClient({
  baseURL: 'https://api.openai.com/v1',
  apiKey: 'sk-test',
  model: 'gpt-5-mini',
});
// Node has no IndexedDB: memory replaces it.
const agent = createAgent({ client, store: createIndexedDBStore() });
const { content } = await lastValueFrom(agent.chat(agent.createSession(), 'What is a brooklet?'));
console.log(extractTextContent(content));
