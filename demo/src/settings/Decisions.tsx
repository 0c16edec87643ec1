import { useDecisions, useSession } from 'brooklet/react';
import type { ReactElement } from 'react';
import { Icon } from '../ui/Icon.tsx';

/** What the person has decided once for all, here and everywhere, and how to take it back. */
export function Decisions({ sessionId }: { readonly sessionId: string | undefined }): ReactElement {
  const { session } = useSession(sessionId);
  const { decisions, error, isLoading, revoke } = useDecisions(session);
  return (
    <fieldset>
      <legend>Standing decisions</legend>
      {decisions.length === 0 && !isLoading && (
        <p className="hint">
          None. Where the agent asks you, you may decide for a whole conversation, or always; it is listed here then.
        </p>
      )}
      <ul className="decisions" aria-label="Standing decisions">
        {decisions.map((decision) => (
          <li key={`${decision.scope} ${decision.name}`}>
            <span className={decision.verdict === 'approved' ? 'good' : 'bad'}>
              <Icon name={decision.verdict === 'approved' ? 'check' : 'close'} />
            </span>
            <span className="decision-text">
              <code>{decision.name}</code> {decision.verdict === 'approved' ? 'may run' : 'may not run'}
              <small>{decision.scope === 'session' ? 'In this conversation' : 'In every conversation'}</small>
            </span>
            <button
              type="button"
              aria-label={`Revoke: ${decision.name} ${decision.scope === 'session' ? 'in this conversation' : 'everywhere'}`}
              onClick={() => void revoke(decision)}
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
