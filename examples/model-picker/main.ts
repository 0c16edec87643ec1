import { createAgent, toAgentError } from 'brooklet';
import { createVault } from 'brooklet/keys';
import { anthropic, compatible, createProviderClient, groq, mistral, ollama, openai } from 'brooklet/providers';
import { createIndexedDBStore } from 'brooklet/storage';
import { addComposer, openFromAddress, showMessages } from '../shared/chat';

const other = compatible('http://localhost:8080/v1', 'Another service');
const providers = new Map(Object.entries({ openai, anthropic, groq, mistral, ollama, other }));
const vault = createVault();
// The page shows its conversation before a model is chosen: what is sent meanwhile is refused, and stays in the field.
const agent = createAgent({ store: createIndexedDBStore({ name: 'model-picker' }) });

const [modelForm, vaultForm] = [document.forms.namedItem('model'), document.forms.namedItem('vault')];
const [status, list] = [document.querySelector('[role=status]'), document.querySelector('main')];
if (!modelForm || !vaultForm || !status || !list) throw new Error('The page has lost its elements.');
for (const id of providers.keys()) modelForm.querySelector('select')?.add(new Option(id));

/** Uses the chosen model, whose key is in the vault: for requests to its own origin only. */
async function choose({ provider: id = '', model = '', address = '', key = '' }): Promise<void> {
  const provider = providers.get(id) ?? other;
  const baseURL = address || provider.baseURL;
  if (key !== '') await vault.add(id, key, { baseURL });
  const apiKey = vault.getState().keys.some((one) => one.id === id) ? { apiKey: vault.keyFor(id) } : {};
  agent.setClient(createProviderClient(provider, { baseURL, model, ...apiKey }));
  localStorage.setItem('model-picker', JSON.stringify({ provider: id, model, address })); // never the key
  if (status) status.textContent = `${model} of ${id}`;
}

/** Does what a form asks for, and shows why it failed. */
function onSubmit(form: HTMLFormElement, act: (fields: Record<string, string>) => Promise<void>): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const fields = Array.from(new FormData(form), ([name, value]) => [name, String(value)]);
    act(Object.fromEntries(fields))
      .then(() => form.reset())
      .catch((error: unknown) => status?.replaceChildren(toAgentError(error).message));
  });
}

onSubmit(modelForm, choose);
onSubmit(vaultForm, ({ passphrase = '' }) =>
  vault.getState().status === 'locked' ? vault.unlock(passphrase) : vault.protect(passphrase),
);
vault.state$.subscribe(({ status: is, keys }) => {
  vaultForm.hidden = is === 'opening' || is === 'open' || keys.length === 0;
  vaultForm.querySelector('button')?.replaceChildren(is === 'locked' ? 'Unlock the keys' : 'Store the keys, encrypted');
  // The choice of the last visit, as soon as the vault knows its keys.
  const before = localStorage.getItem('model-picker');
  if (before && is !== 'opening' && !agent.getClient()) void choose(JSON.parse(before));
});

const session = await openFromAddress(agent);
showMessages(session, list);
addComposer(session, list);
