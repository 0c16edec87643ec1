import { createAgent, extractTextContent } from 'brooklet';
import { createProviderClient, openai } from 'brooklet/providers';
import { createElement } from '../shared/chat';

let key = '';
const client = createProviderClient(openai, {
  model: 'gpt-5-mini',
  apiKey: () => (key ||= prompt('Your OpenAI API key') ?? ''),
});
const agents = [
  {
    name: 'Writer',
    agent: createAgent({ client, instructions: 'Write one sentence about the topic, better each time.' }),
  },
  { name: 'Critic', agent: createAgent({ client, instructions: 'Criticise the sentence in one sentence.' }) },
];
const rounds = 2;

async function discuss(topic: string, list: Element): Promise<void> {
  const sessions = await Promise.all(
    agents.map(async ({ name, agent }) => ({ name, session: await agent.openSession(agent.createSession()) })),
  );
  let text = topic;
  for (let round = 0; round < rounds; round++) {
    for (const { name, session } of sessions) {
      const { message, error } = await session.send(text);
      if (!message) return void list.append(createElement('p', { textContent: error?.message ?? 'No answer.' }));
      text = extractTextContent(message);
      list.append(createElement('article', { textContent: `${name}: ${text}` }));
    }
  }
}

document.querySelector('form')?.addEventListener('submit', (event) => {
  event.preventDefault();
  const list = document.querySelector('main');
  const input = document.querySelector('input');
  if (list && input) void discuss(input.value, list);
});
