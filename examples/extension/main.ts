import { createAgent, createChatCompletionsClient, defineTool, fingerprintOf, type Message, toolParts } from 'brooklet';
import { createIndexedDBStore } from 'brooklet/storage';
import { addComposer, createElement, showMessages } from '../shared/chat';

/** The part of the extension API that this page uses. */
declare const chrome: {
  readonly tabs: { query(filter: object): Promise<readonly { readonly id: number }[]> };
  readonly scripting: {
    executeScript(options: object): Promise<readonly { readonly result: string }[]>;
  };
};

const readPage = defineTool({
  name: 'read_page',
  description: 'Reads the text of the page in the current tab.',
  input: { type: 'object' },
  needsApproval: true,
  maxOutput: 20_000,
  async execute() {
    const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
    const func = (): string => document.body.innerText;
    const [read] = await chrome.scripting.executeScript({ target: { tabId: tab?.id }, func });
    return read?.result;
  },
});

const form = document.querySelector<HTMLFormElement>('#connection');
const list = document.querySelector('main');
const read = (name: string): string => String((form && new FormData(form).get(name)) ?? '');

form?.addEventListener('submit', async (event) => {
  event.preventDefault();
  if (!list) return;
  const client = createChatCompletionsClient({
    baseURL: read('baseURL'),
    model: read('model'),
    apiKey: () => read('key'),
  });
  const agent = createAgent({ client, tools: [readPage], store: createIndexedDBStore({ name: 'extension' }) });
  const { sessions = [] } = (await agent.store?.list({ limit: 1 })) ?? {};
  const session = await agent.openSession(sessions[0]?.id ?? agent.createSession());
  form.hidden = true;
  const drawCalls = (message: Message): readonly Node[] =>
    toolParts(message)
      .filter(({ status }) => status === 'awaiting-approval')
      .map((call) => {
        const onclick = () => void session.approve(call.callId, { fingerprint: fingerprintOf(call) });
        return createElement('button', { textContent: 'Let the model read this page', onclick });
      });
  showMessages(session, list, drawCalls);
  addComposer(session, list);
});
