import { connectAgent } from 'brooklet/worker';
import { addComposer, openFromAddress, showMessages } from '../shared/chat';
import { create } from './agent';

const agent = connectAgent(
  (options) => new SharedWorker(new URL('./worker.ts', import.meta.url), { ...options, type: 'module' }),
  { create, name: 'outliving' },
);

const host = document.querySelector('#host');
agent.host$.subscribe((status) => {
  const where =
    status.state === 'worker' ? `A worker drives: its runs outlive ${status.outlives}.` : `State: ${status.state}.`;
  if (host) host.textContent = where;
});

const list = document.querySelector('main');
const session = await openFromAddress(agent);
if (list) {
  showMessages(session, list);
  addComposer(session, list);
}
