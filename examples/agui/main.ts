import { createAgent, type ToolPart } from 'brooklet';
import { createAGUIClient, createAGUIInterruptTool, readAGUIState } from 'brooklet/agui';
import { createIndexedDBStore } from 'brooklet/storage';
import { addComposer, drawDecisions, openFromAddress, showMessages } from '../shared/chat';

// The address of any agent that speaks AG-UI. Here: agui/remote.ts, which vite.config.js serves.
const client = createAGUIClient({ url: new URL('/agent', location.href).href });
const agent = createAgent({
  client,
  tools: [createAGUIInterruptTool()],
  store: createIndexedDBStore({ name: 'agui' }),
});
const session = await openFromAddress(agent);

const nameCall = ({ input }: ToolPart) => `${String(input?.tool)} ${JSON.stringify(input?.input)}`;

const list = document.querySelector('main');
if (list) {
  showMessages(session, list, (message) => drawDecisions(session, message, nameCall));
  addComposer(session, list);
}
session.messages$.subscribe((messages) => {
  const state = readAGUIState(messages);
  document.querySelector('#state')?.replaceChildren(state === undefined ? 'none' : JSON.stringify(state));
});
