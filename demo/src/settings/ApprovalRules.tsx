import { useSession } from 'brooklet/react';
import { useApprovalRules } from 'brooklet/react/lists';
import type { ReactElement } from 'react';
import { Icon } from '../ui/Icon.tsx';

/** Lists the approval rules of this conversation and of all conversations, each with a button that revokes the rule. */
export function ApprovalRules({ sessionId }: { readonly sessionId: string | undefined }): ReactElement {
  const { session } = useSession(sessionId);
  const { rules, error, isLoading, revoke } = useApprovalRules(session);
  return (
    <fieldset>
      <legend>Approval rules</legend>
      {rules.length === 0 && !isLoading && (
        <p className="hint">
          None. When the agent asks for your approval, you can decide for the whole conversation or for always. Those
          rules are listed here.
        </p>
      )}
      <ul className="rules" aria-label="Approval rules">
        {rules.map((rule) => (
          <li key={`${rule.scope} ${rule.name}`}>
            <span className={rule.verdict === 'approved' ? 'good' : 'bad'}>
              <Icon name={rule.verdict === 'approved' ? 'check' : 'close'} />
            </span>
            <span className="rule-text">
              <code>{rule.name}</code> {rule.verdict === 'approved' ? 'may run' : 'may not run'}
              <small>{rule.scope === 'session' ? 'In this conversation' : 'In every conversation'}</small>
            </span>
            <button
              type="button"
              aria-label={`Revoke: ${rule.name} ${rule.scope === 'session' ? 'in this conversation' : 'everywhere'}`}
              onClick={() => void revoke(rule)}
            >
              Revoke
            </button>
          </li>
        ))}
      </ul>
      {error && (
        <p className="hint bad" role="alert">
          {error.message}
        </p>
      )}
    </fieldset>
  );
}
