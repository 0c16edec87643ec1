import { createAgent, defineTool } from 'brooklet';
import { mountDevtools } from 'brooklet/devtools';
import { createIndexedDBStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';

declare global {
  /** Removes the devtools. */
  var unmount: () => void;
  /** Sends a message to the session of the page. */
  var send: (text: string) => Promise<unknown>;
}

const look = defineTool({
  name: 'look',
  description: 'Looks.',
  input: { type: 'object' },
  execute: () => '<img src="https://evil.example/a.png">',
});

const agent = createAgent({
  client: createScriptedClient((_request, index) =>
    index % 2 === 0
      ? [reply.reasoning('Hm.'), reply.call('look')]
      : [reply.text('<b>It</b> is [there](https://evil.example).'), reply.usage(30, 3)],
  ),
  store: createIndexedDBStore(),
  tools: [look],
  model: 'm1',
});
const id = agent.createSession();

// A production build shows them where it is asked to only.
mountDevtools(agent, { isOpen: true });
globalThis.unmount = mountDevtools(agent, { inProduction: true });
globalThis.send = async (text) => (await agent.openSession(id)).send(text);
