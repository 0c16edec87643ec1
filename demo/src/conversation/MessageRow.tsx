import { type AgentSession, extractTextContent, type Message } from 'brooklet';
import { useMessage, type UseChatResult } from 'brooklet/react';
import { memo, type ReactElement, Suspense } from 'react';
import { PlainText } from '../markdown/PlainText.tsx';
import { InterfaceMessage } from '../shell/rooms.ts';
import { useTexts } from '../texts/useTexts.ts';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { AgentMessage } from './AgentMessage.tsx';
import type { Continuation } from './turn.ts';
import { UserMessage } from './UserMessage.tsx';

/** What can be done with a message. A refusal is shown below the conversation. */
export type MessageActions = Pick<UseChatResult, 'edit' | 'fork' | 'regenerate' | 'selectAlternative'>;

export interface MessageRowProps extends Continuation {
  readonly session: AgentSession;
  readonly messageId: string;
  /** Whether no message follows. */
  readonly isLast: boolean;
  /** Whether this is the last reply of the answer. */
  readonly endsTurn: boolean;
  /** Whether the model always sees this message in full. */
  readonly isPinned: boolean;
  /** Whether a run is under way: then messages cannot be changed. */
  readonly isBusy: boolean;
  readonly actions: MessageActions;
}

/** One message. Rendered only when this message changes. */
export const MessageRow = memo(function MessageRow({ messageId, ...rest }: MessageRowProps): ReactElement | null {
  const { session, actions, isPinned, isBusy } = rest;
  const message = useMessage(session, messageId);
  if (message === undefined || message.role === 'system') return null;
  const ofUser = { session, message, actions, isPinned, isBusy };
  return (
    <ErrorBoundary shows={message} renderFallback={() => <BrokenMessage message={message} />}>
      {message.role === 'assistant' ? (
        <AgentMessage message={message} {...rest} />
      ) : message.metadata ? (
        <Suspense fallback={null}>
          <InterfaceMessage {...ofUser} />
        </Suspense>
      ) : (
        <UserMessage {...ofUser} />
      )}
    </ErrorBoundary>
  );
});

/** Shown in place of a message that cannot be rendered. */
function BrokenMessage({ message }: { readonly message: Message }): ReactElement {
  const { common, message: words } = useTexts();
  return (
    <article className="answer" aria-label={message.role === 'user' ? common.you : common.agent}>
      <p className="cut">
        <span>{words.broken}</span>
      </p>
      <PlainText text={extractTextContent(message)} />
    </article>
  );
}
