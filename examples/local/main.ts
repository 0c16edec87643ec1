import { createAgent, type LLMClient } from 'brooklet';
import { createBuiltInClient } from 'brooklet/llm';
import { createProviderClient, listModels, ollama } from 'brooklet/providers';
import { createIndexedDBStore } from 'brooklet/storage';
import { addComposer, openFromAddress, showMessages } from '../shared/chat';

/** The browser's own model if it is ready, else the first model of an Ollama on this machine. */
async function findModel(): Promise<{ readonly name: string; readonly client: LLMClient }> {
  const builtIn = createBuiltInClient();
  if ((await builtIn.availability()) === 'available') return { name: 'the model of the browser', client: builtIn };
  const [model] = await listModels(ollama);
  if (!model) throw new Error('Ollama has no model. Get one: ollama pull llama3.2');
  return { name: `${model.id} of Ollama`, client: createProviderClient(ollama, { model: model.id }) };
}

const line = document.querySelector('#model');
const list = document.querySelector('main');
try {
  const { name, client } = await findModel();
  const agent = createAgent({ client, store: createIndexedDBStore({ name: 'local' }) });
  const session = await openFromAddress(agent);
  line?.replaceChildren(`You talk to ${name}. Nothing leaves this machine.`);
  if (list) {
    showMessages(session, list);
    addComposer(session, list);
  }
} catch (error) {
  line?.replaceChildren(error instanceof Error ? error.message : String(error));
}
