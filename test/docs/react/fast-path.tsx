import { type AgentSession, extractTextContent } from 'brooklet';
import { useMessage, useMessageIds, useSession } from 'brooklet/react';

function Line({ session, id }: { session: AgentSession | undefined; id: string }) {
  return <li>{useMessage(session, id, extractTextContent)}</li>;
}

function Conversation({ sessionId }: { sessionId: string }) {
  const { session } = useSession(sessionId);
  const ids = useMessageIds(session);
  return (
    <ol>
      {ids.map((id) => (
        <Line key={id} session={session} id={id} />
      ))}
    </ol>
  );
}

export { Conversation };
