import { createAgent, fingerprintOf, type Message, toolParts } from 'brooklet';
import { createAGUIClient, createAGUIInterruptTool, readAGUIState } from 'brooklet/agui';
import { createIndexedDBStore } from 'brooklet/storage';
import { addComposer, createElement, showMessages } from '../shared/chat';

// The address of any agent that speaks AG-UI. Here: agui/remote.ts, which vite.config.js serves.
const client = createAGUIClient({ url: new URL('/agent', location.href).href });
const agent = createAgent({
  client,
  tools: [createAGUIInterruptTool()],
  store: createIndexedDBStore({ name: 'agui' }),
});
location.hash ||= agent.createSession();
const session = await agent.openSession(location.hash.slice(1));

/** Draws the calls of the remote agent that wait for a person. */
function drawCalls(message: Message): readonly Node[] {
  return toolParts(message)
    .filter(({ status }) => status === 'awaiting-approval')
    .map((call) => {
      const fingerprint = fingerprintOf(call);
      const approve = () => void session.approve(call.callId, { fingerprint }).catch(console.warn);
      const reject = () => void session.reject(call.callId, { fingerprint }).catch(console.warn);
      return createElement(
        'fieldset',
        {},
        createElement('legend', { textContent: `${String(call.input?.tool)} ${JSON.stringify(call.input?.input)}` }),
        createElement('button', { textContent: 'Approve', onclick: approve }),
        createElement('button', { textContent: 'Reject', onclick: reject }),
      );
    });
}

const list = document.querySelector('main');
if (list) {
  showMessages(session, list, drawCalls);
  addComposer(session, list);
}
session.messages$.subscribe((messages) => {
  const state = readAGUIState(messages);
  document.querySelector('#state')?.replaceChildren(state === undefined ? 'none' : JSON.stringify(state));
});
