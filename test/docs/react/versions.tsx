import type { Message } from 'brooklet';
import { useChat } from 'brooklet/react';

function Versions({ sessionId, message }: { sessionId: string; message: Message }) {
  const { alternatives, selectAlternative, edit, regenerate, fork } = useChat({ sessionId });
  const { index = 0, count = 1 } = alternatives(message.id) ?? {};
  const step = (by: number) => void selectAlternative(message.id, index + by);
  return (
    <>
      {count > 1 && (
        <span>
          <button disabled={index === 0} onClick={() => step(-1)}>
            ‹
          </button>
          {index + 1}/{count}
          <button disabled={index === count - 1} onClick={() => step(1)}>
            ›
          </button>
        </span>
      )}
      {message.role === 'user' && <button onClick={() => void edit(message.id, 'Another text')}>Edit</button>}
      {message.role === 'user' && <button onClick={() => void regenerate(message.id)}>Answer again</button>}
      <button onClick={() => void fork(message.id)}>Continue in a new chat</button>
    </>
  );
}

export { Versions };
