// The page shows what the worker posts; the agent runs in the worker.
const kind = new URLSearchParams(location.search).get('kind');

async function connect() {
  if (kind === 'dedicated') return new Worker('agent.js', { type: 'module' });
  if (kind === 'shared') return new SharedWorker('agent.js', { type: 'module' }).port;
  await navigator.serviceWorker.register('agent.js', { type: 'module' });
  const { active } = await navigator.serviceWorker.ready;
  const { port1, port2 } = new MessageChannel();
  active.postMessage('connect', [port2]);
  return port1;
}

const port = await connect();
const input = document.querySelector('input');
port.onmessage = ({ data }) => {
  const rows = data.map((text) => Object.assign(document.createElement('p'), { textContent: text }));
  document.querySelector('main').replaceChildren(...rows);
};
input.addEventListener('change', () => port.postMessage(input.value));
// A message typed before the worker is there would be lost.
input.disabled = false;
