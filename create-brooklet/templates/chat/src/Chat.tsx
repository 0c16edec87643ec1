'use client';

import { extractTextContent, fingerprintOf } from 'brooklet';
import { AgentProvider, useChat } from 'brooklet/react';
import { useState, useSyncExternalStore } from 'react';
import { agent } from './agent';

export function Chat() {
  return (
    <AgentProvider agent={agent}>
      <Conversation />
    </AgentProvider>
  );
}

function subscribeToAddress(onChange: () => void) {
  addEventListener('hashchange', onChange);
  return () => removeEventListener('hashchange', onChange);
}

function Conversation() {
  const [text, setText] = useState('');
  // The id of the conversation is in the address, so that a reload shows it again.
  const hash = useSyncExternalStore(
    subscribeToAddress,
    () => location.hash,
    () => '',
  );
  const chat = useChat({
    sessionId: hash.slice(1) || undefined,
    create: true, // also where the page was left before the conversation was stored
    onSessionCreated: (id) => history.replaceState(null, '', `#${id}`),
  });
  return (
    <>
      {chat.messages.map((message) => (
        <article key={message.id} className={message.role} aria-label={message.role === 'user' ? 'You' : 'Agent'}>
          {extractTextContent(message)}
        </article>
      ))}
      {chat.queue.map(({ message }) => (
        <article key={message.id} className="user waiting" aria-label="You, after this answer">
          {extractTextContent(message)}
        </article>
      ))}
      {chat.approvals.map((call) => (
        <fieldset key={call.callId}>
          <legend>May the agent run “{call.name}”?</legend>
          <pre>{JSON.stringify(call.input, null, 2)}</pre>
          <button onClick={() => void chat.approve(call.callId, { fingerprint: fingerprintOf(call) })}>
            Approve
          </button>{' '}
          <button onClick={() => void chat.reject(call.callId)}>Reject</button>
        </fieldset>
      ))}
      {chat.retrying && <p role="status">{chat.retrying.error.message} The message is sent again.</p>}
      {chat.error && <p role="alert">{chat.error.message}</p>}
      {['interrupted', 'failed', 'limit'].includes(chat.status) && (
        <button onClick={() => void chat.resume()}>Continue the answer</button>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          // A message that is refused stays in the field.
          void chat.send(text, { whenBusy: 'queue', onAccepted: () => setText('') });
        }}
      >
        <input
          aria-label="Message"
          placeholder="Message"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <button disabled={text.trim() === ''}>Send</button>
        <button type="button" disabled={chat.status !== 'running'} onClick={chat.stop}>
          Stop
        </button>
        <a href="#">New chat</a>
      </form>
    </>
  );
}
