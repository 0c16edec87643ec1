import type { ReactElement } from 'react';
import { type Message, messageText } from '../../core/model/index.ts';
import { useReviewTexts } from './reviewTexts.ts';

/** Characters of a message that are shown: a longer text would block the page. */
const maxShown = 100_000;

/** Messages as the model reads them. */
export function MessageTexts({ messages }: { readonly messages: readonly Message[] }): ReactElement {
  return (
    <ol className="bk-sent">
      {messages.map((message, index) => (
        // A synthetic message has no id of its own.
        <MessageText key={index} message={message} />
      ))}
    </ol>
  );
}

function MessageText({ message }: { readonly message: Message }): ReactElement {
  const { sent: words, board, formats } = useReviewTexts();
  const text = messageText(message);
  return (
    <li data-role={message.role}>
      <span className="bk-tag">{message.role}</span>
      {text.trim() === '' ? (
        <p className="bk-hint">({words.noText})</p>
      ) : (
        <p className="bk-sent-text" dir="auto">
          {text.slice(0, maxShown)}
        </p>
      )}
      {text.length > maxShown && <p className="bk-hint">{board.leftOut(formats.count(text.length - maxShown))}</p>}
    </li>
  );
}
