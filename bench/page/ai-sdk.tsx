import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { useChat } from '@ai-sdk/react';
import { DirectChatTransport, type InferUITools, tool, ToolLoopAgent, type UIMessage } from 'ai';
import { type ComponentType, useImperativeHandle, useState } from 'react';
import { z } from 'zod';
import { type ChatProps, Log, rowOf } from './page.tsx';

const tools = {
  write: tool({
    description: 'Writes a file.',
    inputSchema: z.object({ path: z.string(), content: z.string() }),
    execute: () => 'written',
  }),
};

type ToolMessage = UIMessage<unknown, never, InferUITools<typeof tools>>;

const MessageRow = rowOf<ToolMessage>(
  ({ role }) => role,
  ({ parts }) => {
    let text = '';
    for (const part of parts) {
      if (part.type === 'text') text += part.text;
      if (part.type === 'tool-write') text += part.input?.content ?? '';
    }
    return text;
  },
);

/** @param throttle ms; see the AI SDK's own option */
export function createChat(throttle?: number): ComponentType<ChatProps> {
  return ({ api, history, ref }) => {
    const [transport] = useState(() => {
      const provider = createOpenAICompatible({ name: 'bench', baseURL: `${api}/v1`, apiKey: 'key' });
      return new DirectChatTransport({ agent: new ToolLoopAgent({ model: provider('m'), tools }) });
    });
    const { messages, sendMessage, stop } = useChat<ToolMessage>({
      transport,
      messages: history.map(({ id, role, text }) => ({ id, role, parts: [{ type: 'text', text }] })),
      ...(throttle !== undefined && { throttle }),
    });
    useImperativeHandle(ref, () => ({ send: (text) => sendMessage({ text }), stop: () => void stop() }), [
      sendMessage,
      stop,
    ]);
    return (
      <Log>
        {messages.map((message) => (
          <MessageRow key={message.id} message={message} />
        ))}
      </Log>
    );
  };
}
