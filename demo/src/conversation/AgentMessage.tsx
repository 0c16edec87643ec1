import type { Message } from 'brooklet';
import type { ReactElement } from 'react';
import { useTexts } from '../texts/useTexts.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { Icon } from '../ui/Icon.tsx';
import { MessagePart } from './MessagePart.tsx';
import type { MessageRowProps } from './MessageRow.tsx';
import { MessageVerbs } from './MessageVerbs.tsx';
import { firstReplyId, getTurn, shownParts } from './turn.ts';
import { Versions } from './Versions.tsx';

interface AgentMessageProps extends Omit<MessageRowProps, 'messageId'> {
  readonly message: Message;
}

/** A reply of the agent. */
export function AgentMessage(props: AgentMessageProps): ReactElement | null {
  const { session, message, lead, isContinued, isLast, endsTurn } = props;
  const { common, message: words } = useTexts();
  const isStreaming = message.status === 'streaming';
  const isCut = message.status === 'interrupted';
  const parts = shownParts(message.content, { lead, isContinued });
  if (isContinued && parts.length === 0) return null;
  return (
    <article className="answer" aria-label={common.agent} aria-busy={isStreaming}>
      {parts.map((part, index) => {
        const isEnd = index === parts.length - 1;
        return (
          // The index is a stable key: a reply only grows at its end.
          <ErrorBoundary key={index} shows={part} renderFallback={() => <p className="cut">{words.brokenPart}</p>}>
            <MessagePart
              session={session}
              part={part}
              isGrowing={isStreaming && isEnd}
              isUnfinished={(isStreaming || isCut) && isEnd}
            />
          </ErrorBoundary>
        );
      })}
      {/* The notice below the last message says the same. */}
      {isCut && !isContinued && !isLast && (
        <p className="cut">
          <span>{words.interrupted}</span>
        </p>
      )}
      {message.finish === 'length' && <p className="cut">{words.maxLength}</p>}
      {message.finish === 'content-filter' && <p className="cut">{words.filtered}</p>}
      {endsTurn && !isStreaming && <AnswerVerbs {...props} />}
    </article>
  );
}

function AnswerVerbs({ session, message, actions, isLast, isPinned, isBusy }: AgentMessageProps): ReactElement {
  const { locale, message: words } = useTexts();
  const { text, input, output } = getTurn(session, message.id);
  const count = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
  return (
    <div className="verbs">
      <Versions session={session} messageId={firstReplyId(session, message.id)} actions={actions} isBusy={isBusy} />
      {text !== '' && <CopyButton label={words.copyAnswer} getText={() => getTurn(session, message.id).text} />}
      {/* After an interruption the notice below offers the same. */}
      {isLast && !isBusy && message.status !== 'interrupted' && (
        <button
          type="button"
          className="quiet small"
          aria-label={words.regenerate}
          title={words.regenerateTitle}
          onClick={() => void actions.regenerate()}
        >
          <Icon name="refresh" />
        </button>
      )}
      <MessageVerbs session={session} message={message} actions={actions} isPinned={isPinned} isBusy={isBusy} />
      {input + output > 0 && (
        <span className="usage" title={words.tokensTitle(input, output, message.model ?? '')}>
          {words.tokens(count.format(input + output))}
        </span>
      )}
    </div>
  );
}
