import type { AgentSession, ToolPart } from 'brooklet';
import { useDecisions } from 'brooklet/react';
import type { ReactElement } from 'react';

/** Says on which of the person's standing decisions a call ran, or did not, and lets them take it back. */
export function StandingNote({
  session,
  call,
}: {
  readonly session: AgentSession;
  readonly call: ToolPart;
}): ReactElement {
  const { decisionOn, isLoading, error, revoke } = useDecisions(session);
  const decision = decisionOn(call);
  const reason = call.approval?.reason;
  return (
    <div className="decision standing">
      <p>
        {call.approval?.verdict === 'rejected' ? 'Declined' : 'Approved'}, as you decided before
        {decision && (decision.scope === 'session' ? ' for this conversation' : ' for every conversation')}
        {!decision && !isLoading && '; you have revoked that since'}
        {reason !== undefined && (
          <>
            : “<bdi>{reason}</bdi>”
          </>
        )}
      </p>
      {decision && (
        <button type="button" className="small" onClick={() => void revoke(decision)}>
          Revoke
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
