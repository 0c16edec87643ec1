// A small chat with approvals, which also offers Resume, and reports to the test what its store has acknowledged.

import { createAgent, createChatCompletionsClient, extractTextContent } from 'brooklet';
import type { SessionStatus } from 'brooklet';
import { createAesCodec } from 'brooklet/encryption';
import type { StoredSession } from 'brooklet/core';
import { AgentProvider, useChat, useStorageStatus } from 'brooklet/react';
import { createIndexedDBStore } from 'brooklet/storage';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import '../../../readme/chat.css';
import { pay } from '../../../readme/pay.ts';
import { Approvals } from '../approvals.tsx';
import { createReportingStore, reportSaved } from './reporting-store.ts';

/** What the page shows, as the test reads it. */
export interface Shown {
  /** The rows of the conversation, `user: text` or `assistant: text`. */
  readonly rows: readonly string[];
  readonly status: SessionStatus | 'opening';
  readonly isSaved: boolean;
  readonly error: string;
}

/** The functions of the page that the test calls. */
export interface ChatPage {
  shown(): Shown;
  find(sessionId: string): Promise<StoredSession | undefined>;
  /** The ids of all stored sessions. */
  list(): Promise<readonly string[]>;
  /** How often the page was shown, and how often it came out of the page cache, with the rows that it showed at that moment. */
  readonly returns: { readonly fromCache: boolean; readonly rows: readonly string[] }[];
}

declare global {
  var chat: ChatPage;
}

const query = new URLSearchParams(location.search);
const reportURL = query.get('report') ?? '';

async function createCodec() {
  return createAesCodec(await crypto.subtle.importKey('raw', new Uint8Array(32), 'HKDF', false, ['deriveKey']));
}

const codec = query.has('encrypted') ? await createCodec() : undefined;
const store = createReportingStore(createIndexedDBStore(codec ? { codec } : {}), reportURL);
const agent = createAgent({
  client: createChatCompletionsClient({ baseURL: query.get('model') ?? '', apiKey: 'none', model: 'm' }),
  store,
  tools: [pay],
});

let state: Omit<Shown, 'rows'> = { status: 'opening', isSaved: false, error: '' };
const readRows = (): readonly string[] =>
  Array.from(document.querySelectorAll('p[data-role]'), (row) => `${row.className}: ${row.textContent}`);

globalThis.chat = {
  shown: () => ({ rows: readRows(), ...state }),
  find: (sessionId) => store.read(sessionId),
  async list() {
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await store.list({ limit: 100, ...(cursor !== undefined && { cursor }) });
      ids.push(...page.sessions.map(({ id }) => id));
      ({ cursor } = page);
    } while (cursor !== undefined);
    return ids;
  },
  returns: [],
};
addEventListener('pageshow', ({ persisted }) => chat.returns.push({ fromCache: persisted, rows: readRows() }));

function Chat() {
  const [text, setText] = useState('');
  const sessionId = location.hash.slice(1) || undefined;
  const { session, messages, status, isLoading, error, send, stop, resume } = useChat({
    sessionId,
    onSessionCreated: (id) => history.replaceState(null, '', `#${id}`),
  });
  const isSaved = useStorageStatus(session, (storage) => storage.state === 'saved') ?? false;
  const message = error?.message ?? '';
  useEffect(() => {
    state = { status: isLoading ? 'opening' : status, isSaved, error: message };
  });
  useEffect(() => {
    const subscription = session?.storage$.subscribe((storage) => {
      if (storage.state === 'saved') reportSaved(reportURL, session.id, session.getState().seq);
    });
    return () => subscription?.unsubscribe();
  }, [session]);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setText('');
        void send(text);
      }}
    >
      {messages.map((message) => (
        <p key={message.id} className={message.role} data-role={message.role}>
          {extractTextContent(message)}
        </p>
      ))}
      {message}
      <Approvals sessionId={sessionId} />
      <input aria-label="Message" value={text} onChange={(event) => setText(event.target.value)} />
      {status === 'running' ? (
        <button key="stop" id="stop" type="button" onClick={stop}>
          Stop
        </button>
      ) : (
        <button key="send" id="send">
          Send
        </button>
      )}
      {status === 'interrupted' && (
        <button key="resume" id="resume" type="button" onClick={() => void resume()}>
          Resume
        </button>
      )}
    </form>
  );
}

createRoot(document.body).render(
  <AgentProvider agent={agent}>
    <main>
      <Chat />
    </main>
  </AgentProvider>,
);
