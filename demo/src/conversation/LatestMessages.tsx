import { extractTextContent, type Message } from 'brooklet';
import type { ReactElement } from 'react';
import { Markdown } from '../markdown/Markdown.tsx';
import { useTexts } from '../texts/useTexts.ts';

/** The last messages of a long conversation while the rest is read: text only, without what can be done with a message. */
export function LatestMessages({ messages }: { readonly messages: readonly Message[] }): ReactElement {
  const { common, conversation: words } = useTexts();
  return (
    <div role="log" aria-live="off" aria-busy="true" aria-label={words.messages}>
      <ol className="messages">
        {messages.map((message) => (
          <li key={message.id} className="row">
            {message.role === 'user' ? (
              <article className="question" aria-label={common.you}>
                <div className="asked">
                  <div className="bubble">
                    <bdi>{extractTextContent(message)}</bdi>
                  </div>
                </div>
                <div className="verbs" />
              </article>
            ) : (
              <article className="answer" aria-label={common.agent}>
                <Markdown text={extractTextContent(message)} isUnfinished={false} />
                <div className="verbs" />
              </article>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}
