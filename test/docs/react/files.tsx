import { useChat } from 'brooklet/react';

function Upload({ sessionId }: { sessionId: string }) {
  const { send } = useChat({ sessionId });
  return (
    <input
      type="file"
      multiple
      onChange={(event) => void send('What is in these files?', { files: event.target.files ?? [] })}
    />
  );
}

export { Upload };
