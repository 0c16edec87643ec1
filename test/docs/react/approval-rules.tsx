import { useSession } from 'brooklet/react';
import { useApprovalRules } from 'brooklet/react/lists';

function ApprovalRules({ sessionId }: { sessionId: string }) {
  const { rules, revoke } = useApprovalRules(useSession(sessionId).session);
  return (
    <ul>
      {rules.map((rule) => (
        <li key={`${rule.scope} ${rule.name}`}>
          {rule.name}: {rule.verdict} for this {rule.scope}
          <button onClick={() => void revoke(rule)}>Ask me again</button>
        </li>
      ))}
    </ul>
  );
}

export { ApprovalRules };
