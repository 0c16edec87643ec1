import { extractTextContent, type Message } from 'brooklet';
import { useChat } from 'brooklet/react';
import { memo } from 'react';

const Row = memo(({ message }: { message: Message }) => (
  <li data-role={message.role}>{extractTextContent(message)}</li>
));

function Chat({ sessionId }: { sessionId?: string }) {
  const { messages, status, error, send, stop, resume } = useChat({ sessionId });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const text = new FormData(event.currentTarget).get('text');
        if (typeof text === 'string') void send(text);
        event.currentTarget.reset();
      }}
    >
      <ol>
        {messages.map((message) => (
          <Row key={message.id} message={message} />
        ))}
      </ol>
      {error && <p role="alert">{error.message}</p>}
      {error?.retryable && <input type="button" value="Go on" onClick={() => void resume()} />}
      <input name="text" autoComplete="off" />
      {status === 'running' ? <input type="button" value="Stop" onClick={stop} /> : <button>Send</button>}
    </form>
  );
}

export { Chat };
