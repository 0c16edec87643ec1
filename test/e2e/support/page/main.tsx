import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createAgent,
  createChatCompletionsClient,
  defineTool,
  isToolPart,
  type Message,
  type Part,
  type ToolPart,
} from 'brooklet';
import { AgentProvider, useChat, useStorageStatus } from 'brooklet/react';
import { useSessions } from 'brooklet/react/lists';
import { createIndexedDBStore } from 'brooklet/storage';
import { StrictMode, useCallback, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { canary } from '../canary.ts';

declare global {
  /** The calls of the tools of this page. */
  var done: string[];
  /** The number of times that React has mounted the page. */
  var mounts: number;
  /** Codes of errors that the store has reported by itself. */
  var troubles: string[];
}

globalThis.done = [];
globalThis.mounts = 0;
globalThis.troubles = [];

const query = new URLSearchParams(location.search);

const add = defineTool({
  name: 'add',
  description: 'Adds two numbers.',
  input: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
  },
  execute({ a, b }) {
    done.push(`add ${Number(a)} ${Number(b)}`);
    return Number(a) + Number(b);
  },
});

const pay = defineTool({
  name: 'pay',
  description: 'Pays an amount.',
  input: { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] },
  needsApproval: true,
  execute({ amount }) {
    done.push(`pay ${Number(amount)}`);
    return `paid ${Number(amount)}`;
  },
});

const agent = createAgent({
  client: createChatCompletionsClient({
    baseURL: query.get('baseURL') ?? '',
    apiKey: canary,
    model: 'gpt-5-mini',
  }),
  store: createIndexedDBStore({ onWarning: ({ code }) => troubles.push(code) }),
  tools: [add, pay],
});

function App() {
  const [sessionId, setSessionId] = useState(location.hash.slice(1) || undefined);
  const show = useCallback((id: string | undefined) => {
    history.replaceState(null, '', `#${id ?? ''}`);
    setSessionId(id);
  }, []);
  useEffect(() => {
    globalThis.mounts++;
  }, []);
  return (
    <>
      <Sessions onShow={show} />
      <Chat sessionId={sessionId} onSessionCreated={show} />
    </>
  );
}

function Sessions({ onShow }: { onShow: (sessionId: string | undefined) => void }) {
  const { sessions } = useSessions();
  return (
    <nav aria-label="Sessions">
      <button onClick={() => onShow(undefined)}>New session</button>
      <ul>
        {sessions.map(({ id, title, status }) => (
          <li key={id}>
            <button onClick={() => onShow(id)}>{title}</button> {status}
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Chat(props: { sessionId: string | undefined; onSessionCreated: (sessionId: string) => void }) {
  const { messages, status, error, session, approvals, ...chat } = useChat(props);
  const storage = useStorageStatus(session);
  const [draft, setDraft] = useState('');
  return (
    <main>
      <div role="log" aria-label="Messages">
        {messages.map((message) => (
          <Row key={message.id} message={message} />
        ))}
      </div>
      {approvals.map((call) => (
        <fieldset key={call.callId}>
          <legend>
            {call.name} {call.inputText}?
          </legend>
          <button onClick={() => void chat.approve(call.callId)}>Approve</button>
          <button onClick={() => void chat.reject(call.callId, { reason: 'Too much.' })}>Reject</button>
        </fieldset>
      ))}
      <output aria-label="Status">{status}</output>
      <output aria-label="Storage">{storage?.state}</output>
      <output aria-label="Storage error">{storage && 'error' in storage && storage.error.code}</output>
      <output aria-label="Error code">{error?.code}</output>
      <output aria-label="Error">{error?.message}</output>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setDraft('');
          void chat.send(draft);
        }}
      >
        <input aria-label="Message" value={draft} onChange={(event) => setDraft(event.target.value)} />
        <button>Send</button>
        <button type="button" onClick={chat.stop}>
          Stop
        </button>
        <button type="button" onClick={() => void chat.resume()}>
          Resume
        </button>
        <button type="button" onClick={() => void chat.regenerate()}>
          Regenerate
        </button>
      </form>
    </main>
  );
}

function Row({ message }: { message: Message }) {
  return (
    <article data-role={message.role} data-status={message.status}>
      {message.content.map((part, index) => (
        // The order of parts never changes.
        <span key={index}>{isToolPart(part) ? describe(part) : textOf(part)}</span>
      ))}
    </article>
  );
}

function describe({ name, status, output }: ToolPart): string {
  if (output === undefined) return `[${name} ${status}]`;
  return `[${name} ${status}: ${typeof output === 'string' ? output : JSON.stringify(output)}]`;
}

function textOf(part: Part): string {
  return part.type === 'text' ? part.text : `[${part.type}]`;
}

const root = createRoot(document.querySelector('#root') ?? document.body);
const app = (
  <QueryClientProvider client={new QueryClient()}>
    <AgentProvider agent={agent}>
      <App />
    </AgentProvider>
  </QueryClientProvider>
);
root.render(query.has('strict') ? <StrictMode>{app}</StrictMode> : app);
