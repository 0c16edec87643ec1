import { useDecisions, useSession } from 'brooklet/react';

function Decisions({ sessionId }: { sessionId: string }) {
  const { decisions, revoke } = useDecisions(useSession(sessionId).session);
  return (
    <ul>
      {decisions.map((decision) => (
        <li key={`${decision.scope} ${decision.name}`}>
          {decision.name}: {decision.verdict} for this {decision.scope}
          <button onClick={() => void revoke(decision)}>Ask me again</button>
        </li>
      ))}
    </ul>
  );
}

export { Decisions };
