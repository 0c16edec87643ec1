import { type AgentSession, type DecisionOptions, type ToolPart } from 'brooklet';
import { type KeyboardEvent, type ReactElement, type SubmitEvent, useId, useState } from 'react';
import { callReady } from '../callReady.ts';
import { parseObject } from '../json.ts';
import { isComposing } from '../ui/isComposing.ts';
import { Segments } from '../ui/Segments.tsx';
import { ApprovalVerbs } from './ApprovalVerbs.tsx';
import { decisionOn } from './decisionOn.ts';
import { RequestPreview } from './RequestPreview.tsx';
import { TimeLeft } from './TimeLeft.tsx';
import { titleOf } from './titleOf.ts';
import type { Deciding } from './useDeciding.ts';
import { useTexts } from '../texts/useTexts.ts';

export type Mode = 'asking' | 'editing' | 'rejecting';
type Remember = NonNullable<DecisionOptions['remember']>;

interface ApprovalFormProps {
  readonly session: AgentSession;
  readonly call: ToolPart;
  readonly deciding: Deciding;
}

/** Asks the user to approve a call, to approve it with another input, or to reject it; once, or as an approval rule. */
export function ApprovalForm({ session, call, deciding }: ApprovalFormProps): ReactElement {
  const words = useTexts();
  const { approval: text } = words;
  const original = JSON.stringify(call.input ?? {}, null, 2);
  const [mode, setMode] = useState<Mode>('asking');
  const [draft, setDraft] = useState(original);
  const [reason, setReason] = useState('');
  const [remember, setRemember] = useState<Remember>('once');
  const [invalid, setInvalid] = useState<string>();
  const { isDeciding, refusal, decide, clear } = deciding;
  const problem = invalid ?? refusal?.message;
  const problemId = useId();

  const approve = (options: { readonly input?: ReturnType<typeof parseObject> } = {}): void => {
    const { input } = options;
    const decision = decisionOn(session, call);
    // An edited input applies to this call only.
    decide(async () => {
      await callReady(call);
      await session.approve(call.callId, input ? { ...decision, input } : { ...decision, remember });
    });
  };
  const reject = (): void => {
    const why = reason.trim();
    const decision = { ...decisionOn(session, call), remember };
    decide(() => session.reject(call.callId, why === '' ? decision : { ...decision, reason: why }));
  };
  const approveEdited = (): void => {
    const input = parseObject(draft);
    setInvalid(input === undefined ? text.notJsonObject : undefined);
    if (input !== undefined) approve(JSON.stringify(input) === JSON.stringify(call.input) ? {} : { input });
  };
  const changeMode = (next: Mode): void => {
    setMode(next);
    setInvalid(undefined);
    clear();
  };

  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (mode === 'editing') approveEdited();
    else if (mode === 'rejecting') reject();
    else approve();
  };
  // What was typed stays, and is there again when the user comes back.
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || mode === 'asking' || isComposing(event.nativeEvent)) return;
    event.preventDefault();
    changeMode('asking');
  };

  return (
    <form
      autoComplete="off"
      className="approval"
      aria-label={text.form(call.name)}
      data-typed={draft !== original || reason !== '' ? '' : undefined}
      onSubmit={onSubmit}
      onKeyDown={onKeyDown}
    >
      <p className="ask">
        <strong>{text.question(titleOf(words, call.name))}</strong>
        {call.approval?.expiresAt === undefined ? (
          <span className="hint">{text.waits}</span>
        ) : (
          <TimeLeft until={call.approval.expiresAt} />
        )}
      </p>
      {mode === 'editing' ? (
        <textarea
          className="json"
          aria-label={text.inputAsJson}
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
        <RequestPreview call={call} />
      )}
      {mode === 'rejecting' && (
        <label className="reason">
          <span>{text.whyNot}</span>
          <input
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user has just asked to type here
            autoFocus
            placeholder={text.optional}
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
        <ApprovalVerbs mode={mode} isDeciding={isDeciding} onMode={changeMode} />
        {mode !== 'editing' && (
          <Segments
            legend={text.decideFor}
            options={[
              { value: 'once', label: text.once, title: text.onceTitle },
              { value: 'session', label: text.session, title: text.sessionTitle },
              { value: 'agent', label: text.agent, title: text.agentTitle },
            ]}
            value={remember}
            onChange={setRemember}
          />
        )}
      </div>
    </form>
  );
}
