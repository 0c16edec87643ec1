// A chat with every action of `useChat`, which the test calls by name.

import { createAgent, createChatCompletionsClient, extractTextContent } from 'brooklet';
import { AgentProvider, useChat, type UseChatResult } from 'brooklet/react';
import { createIndexedDBStore } from 'brooklet/storage';
import { askTool } from 'brooklet/tools';
import { useLayoutEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { pay } from '../../../readme/pay.ts';

/** What the page shows, as the test reads it. */
export interface Shown {
  readonly sessionId: string | undefined;
  /** `user: text` or `assistant: text`. */
  readonly rows: readonly string[];
  readonly status: string;
  readonly error: string;
  readonly queued: readonly string[];
  /** Ids of the calls that wait for a person. */
  readonly waiting: readonly string[];
  readonly media: number;
}

/** The functions of the page that the test calls. */
export interface VerbsPage {
  shown(): Shown;
  /** Begins an action; its end is shown by the page. */
  begin(name: 'send' | 'resume' | 'edit' | 'regenerate' | 'stop', ...args: readonly unknown[]): void;
  /** Resolves with what the action resolves with. */
  decide(
    name: 'approve' | 'reject' | 'answer' | 'unqueue' | 'selectAlternative' | 'fork',
    ...args: readonly unknown[]
  ): Promise<unknown>;
  /** Sends a message with a picture of some bytes. */
  sendFile(text: string): void;
  /** The id of the first message. */
  first(): string;
  open(sessionId: string | undefined): void;
}

declare global {
  var verbs: VerbsPage;
}

const agent = createAgent({
  client: createChatCompletionsClient({
    baseURL: new URLSearchParams(location.search).get('model') ?? '',
    apiKey: 'none',
    model: 'm',
  }),
  store: createIndexedDBStore(),
  tools: [pay, askTool()],
});

let chat: UseChatResult;
let open: (sessionId: string | undefined) => void;

globalThis.verbs = {
  shown() {
    const { messages, status, error, queue, approvals, sessionId } = chat;
    return {
      sessionId,
      rows: messages.map((message) => `${message.role}: ${extractTextContent(message)}`),
      status,
      error: error ? `${error.code}: ${error.message}` : '',
      queued: queue.map(({ message }) => extractTextContent(message)),
      waiting: approvals.map(({ callId }) => callId),
      media: messages.flatMap(({ content }) => content).filter(({ type }) => type === 'image').length,
    };
  },
  begin(name, ...args) {
    void Reflect.apply(chat[name], undefined, args);
  },
  decide: (name, ...args) => Promise.resolve(Reflect.apply(chat[name], undefined, args)),
  sendFile(text) {
    const picture = new File([new Uint8Array([137, 80, 78, 71])], 'p.png', { type: 'image/png' });
    void chat.send(text, { files: [picture] });
  },
  first: () => chat.messages[0]?.id ?? '',
  open: (sessionId) => open(sessionId),
};

function Chat() {
  const [sessionId, setSessionId] = useState<string>();
  const shown = useChat({ sessionId, onSessionCreated: setSessionId });
  useLayoutEffect(() => {
    chat = shown;
    open = setSessionId;
  }, [shown]);
  return <p>{shown.status}</p>;
}

const root = document.body.appendChild(document.createElement('main'));
createRoot(root).render(
  <AgentProvider agent={agent}>
    <Chat />
  </AgentProvider>,
);
