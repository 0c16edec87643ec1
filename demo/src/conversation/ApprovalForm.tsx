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
  { value: 'once', label: 'This call', title: 'Ask again the next time' },
  { value: 'session', label: 'This conversation', title: 'The same for every later call of this tool here' },
  { value: 'agent', label: 'Always', title: 'The same in every conversation, until you revoke it in Settings' },
];

/** Asks a person about a held call: let it run, let it run with another input, or not; once, or from now on. */
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

  // What is decided on is what is on the screen now.
  const signed = { userName: tabName, fingerprint: fingerprintOf(call) };
  const approve = (): void => decide(() => session.approve(call.callId, { ...signed, remember }));
  const reject = (): void =>
    decide(() =>
      session.reject(call.callId, { ...signed, remember, ...(reason.trim() !== '' && { reason: reason.trim() }) }),
    );
  const approveEdited = (): void => {
    const input = parseObject(draft);
    if (input === undefined) setProblem('This is not a JSON object. Check commas, quotes and braces.');
    else if (JSON.stringify(input) === JSON.stringify(call.input)) decide(() => session.approve(call.callId, signed));
    else decide(() => session.approve(call.callId, { ...signed, input }));
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
          The agent wants to run <code>{call.name}</code>. Nothing happens until you decide.
        </span>
        {call.approval?.expiresAt !== undefined && <TimeLeft until={call.approval.expiresAt} />}
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
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
          }}
        />
      ) : (
        <Intent call={call} />
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
        {/* Another input counts for this call only. */}
        {mode !== 'editing' && (
          <Segments legend="Decide for" options={scopes} value={remember} onChange={setRemember} />
        )}
      </div>
    </form>
  );
}

/** What would happen: as a change where it is one, else the input as it is. */
function Intent({ call }: { readonly call: ToolPart }): ReactElement {
  const input = call.input ?? {};
  const { details } = present(call.name, input, undefined, false);
  if (details?.type === 'diff') return <Diff details={details} />;
  return <ToolInput input={input} />;
}
