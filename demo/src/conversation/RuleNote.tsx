import type { AgentSession, ToolPart } from 'brooklet';
import { useApprovalRules } from 'brooklet/react/lists';
import type { ReactElement } from 'react';
import { Lists } from '../base/Lists.tsx';
import { useTexts } from '../texts/useTexts.ts';

interface RuleNoteProps {
  readonly session: AgentSession;
  readonly call: ToolPart;
}

/** States which approval rule decided on a call, with a button that revokes the rule. */
export function RuleNote(props: RuleNoteProps): ReactElement {
  return (
    <Lists>
      <AppliedRule {...props} />
    </Lists>
  );
}

function AppliedRule({ session, call }: RuleNoteProps): ReactElement {
  const { rule: text } = useTexts().tool;
  const { ruleFor, isLoading, error, revoke } = useApprovalRules(session);
  const rule = ruleFor(call);
  const reason = call.approval?.reason;
  return (
    <div className="decision rule">
      <p>
        {call.approval?.verdict === 'rejected' ? text.rejected : text.approved}
        {rule && (rule.scope === 'session' ? text.forSession : text.forAgent)}
        {!rule && !isLoading && text.revoked}
        {reason !== undefined && (
          <>
            : “<bdi>{reason}</bdi>”
          </>
        )}
      </p>
      {rule && (
        <button type="button" className="small" onClick={() => void revoke(rule)}>
          {text.revoke}
        </button>
      )}
      {error && (
        <p className="bad" role="alert">
          {error.message}
        </p>
      )}
    </div>
  );
}
