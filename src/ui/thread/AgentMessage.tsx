import type { ReactElement } from 'react';
import { CopyButton } from '../base/CopyButton.tsx';
import { ErrorBoundary } from '../base/ErrorBoundary.tsx';
import { IconButton } from '../base/IconButton.tsx';
import { part } from '../base/part.ts';
import type { Message } from '../../core/model/index.ts';
import { useLabels } from '../labels/useLabels.ts';
import { MessagePart } from './MessagePart.tsx';
import { MessageVersions } from './MessageVersions.tsx';
import { answerText, type Place, shownParts } from './places.ts';
import { type ThreadEnv, useThread } from './threadContext.ts';

interface AgentMessageProps extends Place {
  readonly message: Message;
  /** Whether no message follows. */
  readonly isLast: boolean;
}

/** A reply of the agent. */
export function AgentMessage(props: AgentMessageProps): ReactElement | null {
  const { message, lead, isContinued, isLast, endsTurn } = props;
  const words = useLabels('message', undefined);
  const thread = useThread();
  const isStreaming = message.status === 'streaming';
  const isCut = message.status === 'interrupted';
  const parts = shownParts(message.content, { lead, isContinued });
  if (isContinued && parts.length === 0) return null;
  // A run that is under way may add to its last answer.
  const isComplete = endsTurn && !isStreaming && !(isLast && thread?.isBusy);
  return (
    <article {...part('answer', undefined, message.status)} aria-label={words.agent} aria-busy={isStreaming}>
      {parts.map((content, index) => {
        const isEnd = index === parts.length - 1;
        return (
          // The index is a stable key: a reply only grows at its end.
          <ErrorBoundary key={index} shows={content} renderFallback={() => <p className="bk-cut">{words.broken}</p>}>
            <MessagePart
              message={message}
              content={content}
              isGrowing={isStreaming && isEnd}
              isUnfinished={(isStreaming || isCut) && isEnd}
            />
          </ErrorBoundary>
        );
      })}
      {/* The notice below the last message says the same. */}
      {isCut && !isContinued && !isLast && <p className="bk-cut">{words.interrupted}</p>}
      {message.finish === 'length' && <p className="bk-cut">{words.maxLength}</p>}
      {message.finish === 'content-filter' && <p className="bk-cut">{words.filtered}</p>}
      {isComplete && thread && <Verbs {...props} thread={thread} />}
    </article>
  );
}

function Verbs(props: AgentMessageProps & { readonly thread: ThreadEnv }): ReactElement | null {
  const { thread, message, firstId, questionId, isLast } = props;
  const words = useLabels('message', undefined);
  const { session, actions, isBusy, renderVerbs } = thread;
  // After an interruption the notice below offers the same.
  const canRetry = !isBusy && questionId !== undefined && !(isLast && message.status === 'interrupted');
  const usual = session && (
    <>
      <MessageVersions thread={thread} firstId={firstId} />
      <CopyButton label={words.copyAnswer} getText={() => answerText(session.getMessages(), firstId, message.id)} />
      {canRetry && (
        <IconButton icon="refresh" label={words.regenerate} onClick={() => void actions.regenerate(questionId)} />
      )}
    </>
  );
  return <div className="bk-verbs">{renderVerbs ? renderVerbs(message, usual) : usual}</div>;
}
