/** @jsxImportSource preact */
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { extractTextContent, type Message } from '../../core/model/message.ts';
import type { SessionState } from '../../core/model/state.ts';
import { shorten } from './format.ts';
import { Pane } from './Pane.tsx';
import { SeenPart } from './SeenPart.tsx';
import { useTexts } from './texts/use-texts.ts';

/** Messages that are rendered at first. */
const pageSize = 30;

/** The conversation as the person saw it, as plain text. */
export function SeenPane({ state }: { readonly state: SessionState }): VNode {
  const texts = useTexts();
  const [shown, setShown] = useState(pageSize);
  const end = useRef<HTMLDivElement>(null);
  const messages = state.messages.filter(({ role }) => role !== 'system');
  const hidden = Math.max(0, messages.length - shown);
  useEffect(() => end.current?.scrollIntoView({ block: 'nearest' }), [state]);

  return (
    <Pane name="seen" title={texts.seen}>
      {hidden > 0 && (
        <button type="button" onClick={() => setShown(shown + pageSize)}>
          {texts.earlier(hidden)}
        </button>
      )}
      {messages.length === 0 && <p class="hint">{texts.nothing}</p>}
      <ol class="messages">
        {messages.slice(hidden).map((message, index) => (
          // A forged log may have two messages with one id.
          <SeenMessage key={hidden + index} message={message} />
        ))}
      </ol>
      {state.queue.map(({ message }, index) => (
        <p key={index} class="hint">
          {texts.queued} <bdi>{shorten(texts, extractTextContent(message))}</bdi>
        </p>
      ))}
      {state.run?.error && state.run.outcome === 'failed' && <p class="bad">{state.run.error.message}</p>}
      <div ref={end} />
    </Pane>
  );
}

function SeenMessage({ message: { role, content, status } }: { readonly message: Message }): VNode {
  const { person, agent, interrupted } = useTexts();
  return (
    <li class={role} aria-label={role === 'user' ? person : agent}>
      {content.map((part, index) => (
        <SeenPart key={index} part={part} />
      ))}
      {status === 'streaming' && <p class="hint">…</p>}
      {status === 'interrupted' && <p class="hint">{interrupted}</p>}
    </li>
  );
}
