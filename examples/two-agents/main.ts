import { createAgent, extractTextContent, toAgentError } from 'brooklet';
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
      if (!message) throw error ?? new Error('No answer.');
      text = extractTextContent(message);
      list.append(createElement('article', { textContent: `${name}: ${text}` }));
    }
  }
}

document.querySelector('form')?.addEventListener('submit', (event) => {
  event.preventDefault();
  const list = document.querySelector('main');
  const input = document.querySelector('input');
  const button = document.querySelector('button');
  if (!list || !input || !button || input.value.trim() === '') return;
  // One discussion at a time, also after a double click.
  button.disabled = true;
  discuss(input.value, list)
    .catch((error: unknown) =>
      list.append(createElement('p', { role: 'alert', textContent: toAgentError(error).message })),
    )
    .finally(() => (button.disabled = false));
});
