import 'brooklet/element/solid';
import { createSignal } from 'solid-js';
import { render } from 'solid-js/web';
import { agent } from './agent';

function App() {
  const [heard, setHeard] = createSignal('');
  return (
    <>
      <brooklet-chat
        prop:agent={agent}
        session-id="help"
        theme="light"
        on:finish={({ detail }) => setHeard((before) => `${before} finish:${detail.outcome}`)}
        on:approval={({ detail }) => setHeard((before) => `${before} approval:${detail.name}`)}
      />
      <p id="events">{heard()}</p>
    </>
  );
}

const app = document.querySelector('#app');
if (app) render(() => <App />, app);
