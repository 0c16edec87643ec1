import { createAgent, defineTool, extractTextContent, toolParts } from 'brooklet';
import { agentTool } from 'brooklet/agents';
import { createIndexedDBStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { createElement, openFromAddress, showMessages } from '../shared/chat';

const buy = defineTool({
  name: 'buy_sample',
  description: 'Buys a sample of a product.',
  input: { type: 'object', properties: { product: { type: 'string' } }, required: ['product'] },
  needsApproval: true,
  execute: ({ product }) => `A sample of ${String(product)} is on its way.`,
});

// Scripts, so that the page needs no key: each researcher buys one sample, then says what it found.
const research = (product: string) =>
  agentTool({
    name: `research_${product}`,
    description: `Researches ${product}.`,
    options: {
      client: createScriptedClient(({ messages }) => {
        const [call] = messages.flatMap(toolParts);
        if (!call) return [reply.text(`I look at ${product}. `, { ms: 60 }), reply.call('buy_sample', { product })];
        return [
          reply.text(call.status === 'succeeded' ? `${product}: good.` : `${product}: not tried.`),
          reply.usage(40, 20),
        ];
      }),
      instructions: 'Research one product.',
      tools: [buy],
    },
    budget: { steps: 5 },
  });

const agent = createAgent({
  client: createScriptedClient(({ messages }) => {
    const found = messages.flatMap(toolParts).map(({ output }) => String(output));
    if (found.length > 0) return [reply.text(`Both are back. ${found.join(' ')}`)];
    return [
      reply.call('research_tea', { task: 'Is the tea good?' }),
      reply.call('research_coffee', { task: 'And the coffee?' }),
    ];
  }),
  tools: [research('tea'), research('coffee')],
  store: createIndexedDBStore({ name: 'agents' }),
  // For the whole tree.
  budget: { steps: 20, tokens: 10_000 },
});
const session = await openFromAddress(agent);

const [list, below, decisions] = document.querySelectorAll('main, section');
if (list) showMessages(session, list);

/** Shows what the session of each open call does and says. */
function showChildren(): void {
  const calls = session
    .getMessages()
    .flatMap(toolParts)
    .filter(({ status }) => status === 'started');
  const lines = calls.flatMap(({ name, session: id = '' }) => {
    const child = agent.getSession(id);
    const last = child?.getMessages().at(-1);
    return createElement('p', {
      textContent: `${name}, ${child?.getStatus()}: ${last ? extractTextContent(last) : ''}`,
    });
  });
  below?.replaceChildren(...lines);
}
agent.events$.subscribe(showChildren);

// The calls of all sessions below, after a reload, too: the root decides each of them, and a run that was cut goes on.
session.approvals$.subscribe((calls) =>
  decisions?.replaceChildren(
    ...calls.map(({ callId, name, input }) =>
      createElement(
        'fieldset',
        {},
        createElement('legend', { textContent: `${name} ${JSON.stringify(input)}` }),
        createElement('button', { textContent: 'Approve', onclick: () => void session.approve(callId) }),
        createElement('button', { textContent: 'Reject', onclick: () => void session.reject(callId) }),
      ),
    ),
  ),
);
document.querySelector('form')?.addEventListener('submit', (event) => {
  event.preventDefault();
  void session.send('Compare tea and coffee.', { whenBusy: 'queue' });
});
