import { useChat } from 'brooklet/react';

function Watched({ sessionId, notify }: { sessionId: string; notify: (text: string) => void }) {
  const { send } = useChat({
    sessionId,
    onFinish: ({ outcome }) => notify(`The run has ended: ${outcome}.`),
    onApproval: (call) => notify(`${call.name} waits for you.`),
    onError: (error) => notify(error.message),
  });
  return <button onClick={() => void send('Go on.')}>Go on</button>;
}

export { Watched };
