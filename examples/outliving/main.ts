import { connectAgent } from 'brooklet/worker';
import { addComposer, openFromAddress, showMessages } from '../shared/chat';
import { create } from './agent';

const agent = connectAgent(
  (options) => new SharedWorker(new URL('./worker.ts', import.meta.url), { ...options, type: 'module' }),
  { create, name: 'outliving' },
);

const host = document.querySelector('#host');
agent.host$.subscribe((status) => {
  const outlived = { pages: 'every page', page: 'a page while another one is open', nothing: 'no page' };
  const where =
    status.state === 'worker'
      ? `A worker drives: its runs outlive ${outlived[status.outlives]}.`
      : `State: ${status.state}.`;
  if (host) host.textContent = where;
});

const list = document.querySelector('main');
const session = await openFromAddress(agent);
if (list) {
  showMessages(session, list);
  addComposer(session, list);
}

// Sent by the worker, once, also while this page is closed.
document.querySelector('#later')?.addEventListener('click', () => {
  void agent.schedule(session.id, 'Count once more.', Date.now() + 60_000);
});
const planned = document.querySelector('#planned');
agent.schedules$.subscribe((prompts) => {
  const times = prompts.map(({ due }) => new Date(due).toLocaleTimeString());
  if (planned) planned.textContent = times.length > 0 ? `Planned: ${times.join(', ')}` : '';
});
