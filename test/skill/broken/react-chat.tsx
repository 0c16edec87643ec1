import { extractTextContent } from 'brooklet';
import { useChat } from 'brooklet/react';
import { type ReactNode, useState } from 'react';

/** Offers no "Stop" while an answer is under way. */
export function Chat(): ReactNode {
  const [sessionId, setSessionId] = useState<string>();
  const [text, setText] = useState('');
  const { messages, status, error, send, stop } = useChat({ sessionId, onSessionCreated: setSessionId });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setText('');
        void send(text);
      }}
    >
      {messages.map((message) => (
        <p key={message.id} className={message.role}>
          {extractTextContent(message)}
        </p>
      ))}
      {error && <p role="alert">{error.message}</p>}
      <input aria-label="Message" value={text} onChange={(event) => setText(event.target.value)} />
      {status === 'waiting' ? (
        <button type="button" onClick={stop}>
          Stop
        </button>
      ) : (
        <button>Send</button>
      )}
    </form>
  );
}
