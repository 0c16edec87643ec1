import { type AgentSession, extractTextContent, type Message } from 'brooklet';
import { useMessage } from 'brooklet/react';
import { memo, type ReactElement } from 'react';
import { PlainText } from '../markdown/PlainText.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { Icon } from '../ui/Icon.tsx';
import { MessagePart } from './MessagePart.tsx';
import { getTurn, type Continuation, shownParts } from './turn.ts';

interface MessageRowProps extends Continuation {
  readonly session: AgentSession;
  readonly messageId: string;
  /** Whether this is the last reply of the answer. */
  readonly endsTurn: boolean;
  readonly onRegenerate: (() => unknown) | undefined;
}

/** One message. Rendered only when this message changes. */
export const MessageRow = memo(function MessageRow({ messageId, ...rest }: MessageRowProps): ReactElement | null {
  const message = useMessage(rest.session, messageId);
  if (message === undefined || message.role === 'system') return null;
  return (
    <ErrorBoundary shows={message} renderFallback={() => <BrokenMessage message={message} />}>
      {message.role === 'user' ? <UserMessage message={message} /> : <AgentMessage message={message} {...rest} />}
    </ErrorBoundary>
  );
});

/** Shown in place of a message that cannot be rendered. */
function BrokenMessage({ message }: { readonly message: Message }): ReactElement {
  return (
    <li className="row answer" aria-label={message.role === 'user' ? 'You' : 'Agent'}>
      <p className="cut">
        <span>This message could not be shown</span>
      </p>
      <PlainText text={extractTextContent(message)} />
    </li>
  );
}

function UserMessage({ message }: { readonly message: Message }): ReactElement {
  const text = extractTextContent(message);
  return (
    <li className="row question" aria-label="You">
      <div className="bubble">
        <bdi>{text}</bdi>
      </div>
      <div className="verbs">
        <CopyButton label="Copy your message" getText={() => text} />
      </div>
    </li>
  );
}

interface AgentMessageProps extends Omit<MessageRowProps, 'messageId'> {
  readonly message: Message;
}

function AgentMessage({
  session,
  message,
  lead,
  isContinued,
  endsTurn,
  onRegenerate,
}: AgentMessageProps): ReactElement | null {
  const isStreaming = message.status === 'streaming';
  const parts = shownParts(message.content, { lead, isContinued });
  if (isContinued && parts.length === 0) return null;
  return (
    <li className="row answer" aria-label="Agent" aria-busy={isStreaming}>
      {parts.map((part, index) => (
        // The index is a stable key: a reply only grows at its end.
        <MessagePart key={index} session={session} part={part} isGrowing={isStreaming && index === parts.length - 1} />
      ))}
      {message.status === 'interrupted' && !isContinued && (
        <p className="cut">
          <span>Interrupted here</span>
        </p>
      )}
      {message.finish === 'length' && <p className="cut">The answer reached the maximum length.</p>}
      {message.finish === 'content-filter' && <p className="cut">The provider’s content filter ended this answer.</p>}
      {endsTurn && !isStreaming && <MessageActions session={session} message={message} onRegenerate={onRegenerate} />}
    </li>
  );
}

function MessageActions({
  session,
  message,
  onRegenerate,
}: Pick<AgentMessageProps, 'session' | 'message' | 'onRegenerate'>): ReactElement {
  const { text, input, output } = getTurn(session, message.id);
  return (
    <div className="verbs">
      {text !== '' && <CopyButton label="Copy answer" getText={() => getTurn(session, message.id).text} />}
      {onRegenerate && (
        <button
          type="button"
          className="quiet small"
          aria-label="Regenerate"
          title="Answer again"
          onClick={() => void onRegenerate()}
        >
          <Icon name="refresh" />
        </button>
      )}
      {input + output > 0 && (
        <span
          className="usage"
          title={`${input} tokens in, ${output} tokens out${message.model ? `, ${message.model}` : ''}`}
        >
          {count(input + output)} tokens
        </span>
      )}
    </div>
  );
}

function count(tokens: number): string {
  return new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }).format(tokens);
}
