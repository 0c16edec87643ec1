import { type AgentSession, toAgentError, type ToolPart } from 'brooklet';
import { type ReactElement, useId, useState } from 'react';
import { parseObject } from '../json.ts';

type Mode = 'asking' | 'editing' | 'rejecting';

/** Asks a person about a held call: let it run, let it run with another input, or not. */
export function ApprovalForm({
  session,
  call,
}: {
  readonly session: AgentSession;
  readonly call: ToolPart;
}): ReactElement {
  const original = JSON.stringify(call.input ?? {}, null, 2);
  const [mode, setMode] = useState<Mode>('asking');
  const [draft, setDraft] = useState(original);
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isDeciding, setIsDeciding] = useState(false);
  const problemId = useId();

  const decide = async (decision: () => Promise<void>): Promise<void> => {
    setProblem(undefined);
    setIsDeciding(true);
    try {
      await decision();
    } catch (thrown) {
      setProblem(toAgentError(thrown).message);
    }
    setIsDeciding(false);
  };

  const approve = (): void => void decide(() => session.approve(call.callId));
  const reject = (): void =>
    void decide(() => session.reject(call.callId, reason.trim() === '' ? {} : { reason: reason.trim() }));
  const approveEdited = (): void => {
    const input = parseObject(draft);
    if (input === undefined) setProblem('This is not a JSON object. Check commas, quotes and braces.');
    else void decide(() => session.approve(call.callId, { input }));
  };
  const back = (): void => {
    setMode('asking');
    setDraft(original);
    setProblem(undefined);
  };

  return (
    <form
      className="approval"
      aria-label={`Decide on ${call.name}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (mode === 'editing') approveEdited();
        else if (mode === 'rejecting') reject();
        else approve();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || mode === 'asking') return;
        event.preventDefault();
        back();
      }}
    >
      <p>
        The agent wants to run <code>{call.name}</code> with this input. Nothing happens until you decide.
      </p>
      {mode === 'editing' ? (
        <textarea
          className="json"
          aria-label="Input as JSON"
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : problemId}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person has just asked to type here
          autoFocus
          spellCheck={false}
          rows={Math.min(14, draft.split('\n').length + 1)}
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
        />
      ) : (
        <pre className="json">{original}</pre>
      )}
      {mode === 'rejecting' && (
        <label className="reason">
          <span>Why not? The agent is told.</span>
          <input
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person has just asked to type here
            autoFocus
            placeholder="Optional"
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </label>
      )}
      {problem !== undefined && (
        <p id={problemId} className="bad" role="alert">
          {problem}
        </p>
      )}
      <div className="approval-verbs">
        {mode === 'asking' && (
          <>
            <button type="submit" className="primary" disabled={isDeciding}>
              Approve
            </button>
            <button type="button" disabled={isDeciding} onClick={() => setMode('editing')}>
              Edit input
            </button>
            <button type="button" disabled={isDeciding} onClick={() => setMode('rejecting')}>
              Reject
            </button>
          </>
        )}
        {mode === 'editing' && (
          <button type="submit" className="primary" disabled={isDeciding}>
            Approve with changes
          </button>
        )}
        {mode === 'rejecting' && (
          <button type="submit" className="danger" disabled={isDeciding}>
            Reject call
          </button>
        )}
        {mode !== 'asking' && (
          <button type="button" disabled={isDeciding} onClick={back}>
            Back
          </button>
        )}
      </div>
    </form>
  );
}
