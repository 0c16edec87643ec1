import 'brooklet/element/preact';
import { render } from 'preact';
import { useState } from 'preact/hooks';
import { agent } from './agent';

function App() {
  const [heard, setHeard] = useState('');
  return (
    <>
      <brooklet-chat
        agent={agent}
        sessionId="help"
        theme="light"
        onfinish={({ detail }) => setHeard((before) => `${before} finish:${detail.outcome}`)}
        onapproval={({ detail }) => setHeard((before) => `${before} approval:${detail.name}`)}
      />
      <p id="events">{heard}</p>
    </>
  );
}

const app = document.querySelector('#app');

if (app) render(<App />, app);
