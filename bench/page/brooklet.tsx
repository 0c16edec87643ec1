import { createAgent, createChatCompletionsClient, defineTool, type Message, type SessionStore } from 'brooklet';
import { AgentProvider, useChat } from 'brooklet/react';
import { type Ref, useImperativeHandle, useState } from 'react';
import { type ChatProps, Log, rowOf, show, type Verbs } from './page.tsx';

const write = defineTool({
  name: 'write',
  description: 'Writes a file.',
  input: { type: 'object', properties: { path: { type: 'string' }, content: { type: 'string' } } },
  execute: () => 'written',
});

const MessageRow = rowOf<Message>(
  ({ role }) => role,
  ({ content }) => {
    let text = '';
    for (const part of content) {
      if (part.type === 'text') text += part.text;
      if (part.type === 'tool') text += part.inputText;
    }
    return text;
  },
);

function Conversation({ sessionId, ref }: { readonly sessionId: string; readonly ref: Ref<Verbs> }) {
  const { messages, send, stop } = useChat({ sessionId });
  useImperativeHandle(ref, () => ({ send, stop }), [send, stop]);
  return (
    <Log>
      {messages.map((message) => (
        <MessageRow key={message.id} message={message} />
      ))}
    </Log>
  );
}

/** Shows a chat of Brooklet, with a store or without one. */
export function showBrooklet(createStore?: () => SessionStore): void {
  function Chat({ api, history, ref }: ChatProps) {
    const [{ agent, sessionId }] = useState(() => {
      const store = createStore?.();
      const agent = createAgent({
        client: createChatCompletionsClient({ baseURL: `${api}/v1`, apiKey: 'key', model: 'm' }),
        tools: [write],
        ...(store && { store }),
      });
      const sessionId = agent.createSession();
      const session = agent.getSession(sessionId);
      for (const { id, role, text } of history) void session?.addMessage({ id, role, content: text });
      return { agent, sessionId };
    });
    return (
      <AgentProvider agent={agent}>
        <Conversation sessionId={sessionId} ref={ref} />
      </AgentProvider>
    );
  }

  show(Chat);
}
