import { extractTextContent } from 'brooklet';
import { useChat } from 'brooklet/react';
import { type ReactNode, useState } from 'react';

export function Chat(): ReactNode {
  const [sessionId, setSessionId] = useState<string>();
  const [text, setText] = useState('');
  const { messages, status, error, send, stop } = useChat({ sessionId, onSessionCreated: setSessionId });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void send(text, { onAccepted: () => setText('') });
      }}
    >
      {messages.map((message) => (
        <p key={message.id} className={message.role}>
          {extractTextContent(message)}
        </p>
      ))}
      {error && <p role="alert">{error.message}</p>}
      <input aria-label="Message" value={text} onChange={(event) => setText(event.target.value)} />
      {status === 'running' && (
        <button type="button" onClick={stop}>
          Stop
        </button>
      )}
      {status !== 'running' && <button>Send</button>}
    </form>
  );
}
