import { type AgentSession, type DecisionOptions, fingerprintOf, type ToolPart } from 'brooklet';
import { type ReactElement, useId, useState } from 'react';
import { parseObject } from '../json.ts';
import { present } from '../present.ts';
import { tabName } from '../tab.ts';
import { Segments } from '../ui/Segments.tsx';
import { Diff } from './Diff.tsx';
import { TimeLeft } from './TimeLeft.tsx';
import { ToolInput } from './ToolInput.tsx';
import { useDeciding } from './useDeciding.ts';

type Mode = 'asking' | 'editing' | 'rejecting';
type Remember = NonNullable<DecisionOptions['remember']>;

const scopes: readonly { readonly value: Remember; readonly label: string; readonly title: string }[] = [
  { value: 'once', label: 'This call', title: 'The agent asks again the next time' },
  {
    value: 'session',
    label: 'This conversation',
    title: 'The same for every later call of this tool in this conversation',
  },
  { value: 'agent', label: 'Always', title: 'The same in every conversation, until you revoke the rule in Settings' },
];

/** Asks the user to approve a call, to approve it with another input, or to reject it; once, or as an approval rule. */
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
  const [remember, setRemember] = useState<Remember>('once');
  const { isDeciding, problem, setProblem, decide } = useDeciding();
  const problemId = useId();

  // The fingerprint makes sure that the user decides on the call that is on the screen.
  const options = { userName: tabName, fingerprint: fingerprintOf(call) };
  const approve = (): void => decide(() => session.approve(call.callId, { ...options, remember }));
  const reject = (): void =>
    decide(() =>
      session.reject(call.callId, { ...options, remember, ...(reason.trim() !== '' && { reason: reason.trim() }) }),
    );
  const approveEdited = (): void => {
    const input = parseObject(draft);
    if (input === undefined) setProblem('This is not a JSON object. Check commas, quotes and braces.');
    else if (JSON.stringify(input) === JSON.stringify(call.input)) decide(() => session.approve(call.callId, options));
    else decide(() => session.approve(call.callId, { ...options, input }));
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
      <p className="ask">
        <span>
          The agent wants to run <code>{call.name}</code>. It waits until you decide.
        </span>
        {call.approval?.expiresAt !== undefined && <TimeLeft until={call.approval.expiresAt} />}
      </p>
      {mode === 'editing' ? (
        <textarea
          className="json"
          aria-label="Input as JSON"
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : problemId}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user has just asked to type here
          autoFocus
          spellCheck={false}
          rows={Math.min(14, draft.split('\n').length + 1)}
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
          }}
        />
      ) : (
        <Preview call={call} />
      )}
      {mode === 'rejecting' && (
        <label className="reason">
          <span>Why not? The agent reads this.</span>
          <input
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user has just asked to type here
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
        {/* An edited input applies to this call only. */}
        {mode !== 'editing' && (
          <Segments legend="Decide for" options={scopes} value={remember} onChange={setRemember} />
        )}
      </div>
    </form>
  );
}

/** What the call would do: a diff for an edit of a file, else the input. */
function Preview({ call }: { readonly call: ToolPart }): ReactElement {
  const input = call.input ?? {};
  const { details } = present(call.name, input, undefined, false);
  if (details?.type === 'diff') return <Diff details={details} />;
  return <ToolInput input={input} />;
}
