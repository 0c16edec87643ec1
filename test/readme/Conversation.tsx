import { extractTextContent } from 'brooklet';
import { useChat, type UseChatOptions } from 'brooklet/react';
import { useState } from 'react';
import './chat.css';

export function Conversation(options: UseChatOptions) {
  const [text, setText] = useState('');
  const { messages, queue, status, error, retrying, send, stop, resume } = useChat(options);
  return (
    <main>
      <div className="log"><div>
        {messages.map((message) => <p key={message.id} className={message.role}>{extractTextContent(message)}</p>)}
        {queue.map(({ message }) => <p key={message.id} className="user waiting">{extractTextContent(message)}</p>)}
        {retrying && <p role="status">{retrying.error.message} The message is sent again.</p>}
        {error && <p role="alert">{error.message}</p>}
        {['interrupted', 'failed', 'limit'].includes(status) && <button onClick={() => void resume()}>Continue</button>}
      </div></div>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send(text, { whenBusy: 'queue', onAccepted: () => setText('') });
        }}
      >
        <input aria-label="Message" value={text} onChange={(event) => setText(event.target.value)} />
        <button disabled={text.trim() === ''}>Send</button>
        <button type="button" disabled={status !== 'running'} onClick={stop}>Stop</button>
      </form>
    </main>
  );
}
