import { extractTextContent } from 'brooklet';
import { useChat } from 'brooklet/react';

function Meanwhile({ sessionId }: { sessionId: string }) {
  const { queue, send, unqueue, limit, resume } = useChat({ sessionId });
  return (
    <>
      {queue.map(({ message, mode }) => (
        <p key={message.id}>
          {mode === 'steer' ? 'Next step: ' : 'Later: '}
          {extractTextContent(message)}
          <button onClick={() => void unqueue(message.id)}>Take it back</button>
        </p>
      ))}
      <button onClick={() => void send('Shorter, please.', { whenBusy: 'steer' })}>Shorter</button>
      {limit && <button onClick={() => void resume()}>Go on: it has reached its limit of {limit}</button>}
    </>
  );
}

export { Meanwhile };
