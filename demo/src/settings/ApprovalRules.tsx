import { useSession } from 'brooklet/react';
import { useApprovalRules } from 'brooklet/react/lists';
import type { ReactElement, ReactNode } from 'react';
import { Lists } from '../base/Lists.tsx';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { Icon } from '../ui/Icon.tsx';

interface ApprovalRulesProps {
  readonly sessionId: string | undefined;
  /** Shown below the rules. */
  readonly switches: ReactNode;
}

/** Lists the approval rules of this conversation and of all conversations, each with a button that revokes the rule. */
export function ApprovalRules(props: ApprovalRulesProps): ReactElement {
  return (
    <Lists>
      <Rules {...props} />
    </Lists>
  );
}

function Rules({ sessionId, switches }: ApprovalRulesProps): ReactElement {
  const { settings: words } = useAllTexts();
  const { session } = useSession(sessionId);
  const { rules, error, isLoading, revoke } = useApprovalRules(session);
  return (
    <div className="settings-body">
      <h3>{words.permissions}</h3>
      {rules.length === 0 && !isLoading && <p className="hint">{words.noPermissions}</p>}
      <ul className="rules" aria-label={words.permissions}>
        {rules.map((rule) => {
          const isApproved = rule.verdict === 'approved';
          const isHere = rule.scope === 'session';
          return (
            <li key={`${rule.scope} ${rule.name}`}>
              <span className={isApproved ? 'good' : 'bad'}>
                <Icon name={isApproved ? 'check' : 'close'} />
              </span>
              <span className="rule-text">
                <code>{rule.name}</code> {isApproved ? words.mayRun : words.mayNotRun}
                <small>{isHere ? words.inThisChat : words.inEveryChat}</small>
              </span>
              <button
                type="button"
                aria-label={isHere ? words.revokeInThisChat(rule.name) : words.revokeEverywhere(rule.name)}
                onClick={() => void revoke(rule)}
              >
                {words.revoke}
              </button>
            </li>
          );
        })}
      </ul>
      {error && (
        <p className="hint bad" role="alert">
          {error.message}
        </p>
      )}
      {switches}
    </div>
  );
}
