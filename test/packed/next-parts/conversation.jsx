'use client';
import { createAgent } from 'brooklet';
import { createIndexedDBStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { Chat } from 'brooklet/ui';
import { useSyncExternalStore } from 'react';

const client = createScriptedClient(() => [reply.text('A very small brook.')]);
const agent = createAgent({ client, store: createIndexedDBStore({ name: 'parts' }) });

function followAddress(onChange) {
  addEventListener('hashchange', onChange);
  return () => removeEventListener('hashchange', onChange);
}

export function Conversation({ labels }) {
  const sessionId = useSyncExternalStore(
    followAddress,
    () => location.hash.slice(1),
    () => '',
  );
  return (
    <Chat
      agent={agent}
      labels={labels}
      sessionId={sessionId || undefined}
      create
      onSessionCreated={(id) => history.replaceState(null, '', `#${id}`)}
    />
  );
}
