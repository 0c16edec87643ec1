import type { Message } from 'brooklet';
import { messageText } from 'brooklet/core';
import type { ReactElement } from 'react';

/** Messages as the model reads them. */
export function MessageTexts({ messages }: { readonly messages: readonly Message[] }): ReactElement {
  return (
    <ol className="sent">
      {messages.map((message, index) => (
        // A synthetic message has no id of its own.
        <li key={index} className={`sent-${message.role}`}>
          <span className="role">{message.role}</span>
          <p className="sent-text">{messageText(message)}</p>
        </li>
      ))}
    </ol>
  );
}
