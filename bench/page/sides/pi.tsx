import type { AgentMessage } from '@earendil-works/pi-agent-core';
import { memo, useCallback, useImperativeHandle, useState } from 'react';
import { type ChatProps, Log, Row, show } from '../page.tsx';
import { createPi } from '../pi.ts';
import { useFrames } from '../useFrames.ts';

function textOf(message: AgentMessage): string {
  if (!('content' in message)) return '';
  if (typeof message.content === 'string') return message.content;
  let text = '';
  for (const part of message.content) {
    if (part.type === 'text') text += part.text;
    // The event contains the parsed input only.
    if (part.type === 'toolCall') text += String(part.arguments.content ?? '');
  }
  return text;
}

/** pi changes the streaming message in place, so a row is identified by its text. */
const TextRow = memo(Row);

function Chat({ api, history, ref }: ChatProps) {
  const [agent] = useState(() => createPi(api, history));
  useFrames(useCallback((onChange) => agent.subscribe(onChange), [agent]));
  useImperativeHandle(ref, () => ({ send: (text) => agent.prompt(text), stop: () => agent.abort() }), [agent]);
  const { messages, streamingMessage } = agent.state;
  const all = streamingMessage ? [...messages, streamingMessage] : messages;
  return (
    <Log>
      {all
        .filter(({ role }) => role === 'user' || role === 'assistant')
        .map((message, index) => (
          // Messages of pi have no ids, and never change places.
          <TextRow key={index} role={message.role} text={textOf(message)} />
        ))}
    </Log>
  );
}

show(Chat);
