/** @jsxImportSource preact */
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { extractTextContent, type Message } from '../core/model/message.ts';
import type { SessionState } from '../core/model/state.ts';
import { shorten } from './format.ts';
import { Pane } from './Pane.tsx';
import { SeenPart } from './SeenPart.tsx';

/** Messages that are rendered at first. */
const pageSize = 30;

/** The conversation as the person saw it, as plain text. */
export function SeenPane({ state }: { readonly state: SessionState }): VNode {
  const [shown, setShown] = useState(pageSize);
  const end = useRef<HTMLDivElement>(null);
  const messages = state.messages.filter(({ role }) => role !== 'system');
  const hidden = Math.max(0, messages.length - shown);
  useEffect(() => end.current?.scrollIntoView({ block: 'nearest' }), [state]);

  return (
    <Pane name="seen" title="What the person saw">
      {hidden > 0 && (
        <button type="button" onClick={() => setShown(shown + pageSize)}>
          Show earlier messages ({hidden})
        </button>
      )}
      {messages.length === 0 && <p class="hint">Nothing yet.</p>}
      <ol class="messages">
        {messages.slice(hidden).map((message, index) => (
          // A forged log may have two messages with one id.
          <SeenMessage key={hidden + index} message={message} />
        ))}
      </ol>
      {state.queue.map(({ message }, index) => (
        <p key={index} class="hint">
          In the queue: <bdi>{shorten(extractTextContent(message))}</bdi>
        </p>
      ))}
      {state.run?.error && state.run.outcome === 'failed' && <p class="bad">{state.run.error.message}</p>}
      <div ref={end} />
    </Pane>
  );
}

function SeenMessage({ message: { role, content, status } }: { readonly message: Message }): VNode {
  const name = role === 'user' ? 'Person' : 'Agent';
  return (
    <li class={role} aria-label={name}>
      {content.map((part, index) => (
        <SeenPart key={index} part={part} />
      ))}
      {status === 'streaming' && <p class="hint">…</p>}
      {status === 'interrupted' && <p class="hint">Interrupted here</p>}
    </li>
  );
}
