import { type ComponentType, memo, type ReactElement } from 'react';
import { ErrorBoundary } from '../base/ErrorBoundary.tsx';
import { extractTextContent, type Message } from '../../core/model/index.ts';
import { useLabels } from '../labels/useLabels.ts';
import { AgentMessage } from './AgentMessage.tsx';
import type { Place } from './places.ts';
import { UserMessage } from './UserMessage.tsx';

interface MessageRowProps extends Place {
  readonly message: Message;
  readonly isLast: boolean;
}

/** One message. Rendered only when this message changes. */
export const MessageRow: ComponentType<MessageRowProps> = memo(function MessageRow(
  props: MessageRowProps,
): ReactElement | null {
  const { message } = props;
  if (message.role === 'system') return null;
  return (
    <ErrorBoundary shows={message} renderFallback={() => <BrokenMessage message={message} />}>
      {message.role === 'assistant' ? <AgentMessage {...props} /> : <UserMessage message={message} />}
    </ErrorBoundary>
  );
});

/** Characters of a message that is shown as text. */
const maxText = 100_000;

/** Shown in the place of a message that cannot be rendered. */
function BrokenMessage({ message }: { readonly message: Message }): ReactElement {
  const words = useLabels('message', undefined);
  const { leftOut } = useLabels('markdown', undefined);
  const text = extractTextContent(message);
  return (
    <article className="bk-answer" aria-label={message.role === 'user' ? words.you : words.agent}>
      <p className="bk-cut">{words.broken}</p>
      <p dir="auto" className="bk-source-text">
        {text.slice(0, maxText)}
      </p>
      {text.length > maxText && <p className="bk-hint">{leftOut(text.length - maxText)}</p>}
    </article>
  );
}
