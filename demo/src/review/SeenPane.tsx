import { extractTextContent, type Message, type Part, type ToolPart } from 'brooklet';
import type { SessionState } from 'brooklet/core';
import { memo, type ReactElement, useLayoutEffect, useRef, useState } from 'react';
import { Media } from '../conversation/Media.tsx';
import { ToolInput } from '../conversation/ToolInput.tsx';
import { ToolOutput } from '../conversation/ToolOutput.tsx';
import { Markdown } from '../markdown/Markdown.tsx';
import { useReviewTexts } from '../texts/reviewTexts.ts';
import { Pane } from './Pane.tsx';

/** Messages that are rendered at first. */
const pageSize = 30;

/** The conversation as the person saw it. */
export function SeenPane({ state }: { readonly state: SessionState }): ReactElement {
  const { seen: words } = useReviewTexts();
  const [shown, setShown] = useState(pageSize);
  const end = useRef<HTMLDivElement>(null);
  const messages = state.messages.filter(({ role }) => role !== 'system');
  const hidden = Math.max(0, messages.length - shown);

  useLayoutEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' });
  }, [state]);

  return (
    <Pane name="seen" title={words.title}>
      {hidden > 0 && (
        <button type="button" className="quiet wide" onClick={() => setShown(shown + pageSize)}>
          {words.earlier(hidden)}
        </button>
      )}
      {messages.length === 0 && <p className="hint">{words.nothing}</p>}
      <ol className="seen">
        {messages.slice(hidden).map((message) => (
          <SeenMessage key={message.id} message={message} />
        ))}
      </ol>
      {state.queue.map(({ message }) => (
        <p key={message.id} className="hint">
          {words.queued(extractTextContent(message))}
        </p>
      ))}
      {state.run?.error && state.run.outcome === 'failed' && <p className="bad">{state.run.error.message}</p>}
      <div ref={end} />
    </Pane>
  );
}

const SeenMessage = memo(function SeenMessage({ message }: { readonly message: Message }): ReactElement {
  const { seen: words } = useReviewTexts();
  const isUser = message.role === 'user';
  return (
    <li className={isUser ? 'seen-user' : 'seen-agent'} aria-label={isUser ? words.person : words.agent}>
      {message.content.map((part, index) => (
        // Parts have no id, and only grow at the end.
        <SeenPart key={index} part={part} isUser={isUser} />
      ))}
      {message.status === 'streaming' && <span className="caret" />}
      {message.status === 'interrupted' && <p className="hint">{words.interrupted}</p>}
    </li>
  );
});

function SeenPart({ part, isUser }: { readonly part: Part; readonly isUser: boolean }): ReactElement | null {
  const { seen: words } = useReviewTexts();
  switch (part.type) {
    case 'text':
      return isUser ? <bdi className="seen-text">{part.text}</bdi> : <Markdown text={part.text} />;
    case 'reasoning':
      return (
        <details className="seen-thought">
          <summary>{words.thoughts}</summary>
          <Markdown text={part.text} />
        </details>
      );
    case 'tool':
      return <SeenCall call={part} />;
    case 'image':
    case 'audio':
    case 'file':
      return <Media part={part} />;
    case 'source':
      return <p className="hint">{part.title ?? part.url}</p>;
    case 'provider':
      return null;
  }
}

function SeenCall({ call }: { readonly call: ToolPart }): ReactElement {
  const texts = useReviewTexts();
  const { approval, editedInput, input, status } = call;
  return (
    <details className={`seen-call ${call.isError === true ? 'failed' : ''}`}>
      <summary>
        <code>{call.name || '…'}</code>
        <span>{call.summary ?? texts.statuses[status]}</span>
      </summary>
      {input ? <ToolInput input={editedInput ?? input} /> : <pre className="json">{call.inputText}</pre>}
      {approval?.verdict && (
        <p className="hint">
          {texts.calls.decided(
            texts.statuses[approval.verdict],
            approval.userName ?? (approval.decidedBy ? texts.deciders[approval.decidedBy] : ''),
          )}
          {approval.reason === undefined ? '' : texts.calls.because(approval.reason)}
        </p>
      )}
      {call.output !== undefined && <ToolOutput call={call} />}
    </details>
  );
}
