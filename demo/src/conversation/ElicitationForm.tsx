import { type AgentSession, fingerprintOf, type Json, type JsonObject, type ToolPart } from 'brooklet';
import { type ReactElement, useEffect, useId, useRef, useState } from 'react';
import { tabName } from '../tab.ts';
import { readElicitation, toAnswer, toChoice } from './elicitation.ts';
import { ElicitationFields } from './ElicitationFields.tsx';
import { TimeLeft } from './TimeLeft.tsx';
import { useDeciding } from './useDeciding.ts';

/** Asks the user for the answer to an elicitation: with buttons, a text field, or a form. */
export function ElicitationForm({
  session,
  call,
}: {
  readonly session: AgentSession;
  readonly call: ToolPart;
}): ReactElement {
  const schema: JsonObject = call.approval?.elicitation ?? {};
  const elicitation = readElicitation(schema);
  const { isDeciding, problem, setProblem, decide } = useDeciding();
  const form = useRef<HTMLFormElement>(null);
  const titleId = useId();
  const [isDeclining, setIsDeclining] = useState(false);

  useEffect(() => {
    // Moves the focus to the form, unless the user is writing a message.
    const focused = document.activeElement;
    if (
      focused === null ||
      focused === document.body ||
      (focused instanceof HTMLTextAreaElement && focused.value === '')
    )
      form.current?.querySelector<HTMLElement>('[data-first], input, textarea, select')?.focus();
  }, []);

  const options = { userName: tabName, fingerprint: fingerprintOf(call) };
  const answer = (given: Json): void => decide(() => session.answer(call.callId, given, options));
  const decline = (reason: string): void =>
    decide(() => session.reject(call.callId, { ...options, ...(reason !== '' && { reason }) }));

  const submit = (entries: FormData): void => {
    const given = entries.get('answer');
    const text = typeof given === 'string' ? given : '';
    if (isDeclining) decline(text.trim());
    else if (elicitation.kind === 'form') answer(toAnswer(elicitation.fields, entries));
    else if (elicitation.kind === 'text') answer(text);
    else {
      const value = parse(text);
      if (value === undefined) setProblem('This is not JSON. Check commas, quotes and braces.');
      else answer(value);
    }
  };

  return (
    <form
      ref={form}
      className="approval question-form"
      aria-labelledby={titleId}
      onSubmit={(event) => {
        event.preventDefault();
        submit(new FormData(event.currentTarget));
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isDeclining) return;
        event.preventDefault();
        setIsDeclining(false);
      }}
    >
      <p className="ask">
        <strong id={titleId}>
          <bdi>{titleOf(schema) ?? `${call.name} asks you something`}</bdi>
        </strong>
        {call.approval?.expiresAt !== undefined && <TimeLeft until={call.approval.expiresAt} />}
      </p>
      {isDeclining ? (
        <label className="reason">
          <span>Why not? The agent reads this.</span>
          {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the user has just asked to type here */}
          <input name="answer" autoFocus placeholder="Optional" />
        </label>
      ) : (
        <ElicitationFields
          elicitation={elicitation}
          isDisabled={isDeciding}
          onChoose={(choice) => answer(toChoice(schema, choice))}
        />
      )}
      {problem !== undefined && (
        <p className="bad" role="alert">
          {problem}
        </p>
      )}
      <div className="approval-verbs">
        {isDeclining ? (
          <>
            <button type="submit" className="danger" disabled={isDeciding}>
              Decline to answer
            </button>
            <button type="button" onClick={() => setIsDeclining(false)}>
              Back
            </button>
          </>
        ) : (
          <>
            {elicitation.kind !== 'choice' && (
              <button type="submit" className="primary" disabled={isDeciding}>
                Answer
              </button>
            )}
            <button type="button" className="quiet" onClick={() => setIsDeclining(true)}>
              I’d rather not say
            </button>
          </>
        )}
      </div>
    </form>
  );
}

function titleOf({ title, description }: JsonObject): string | undefined {
  return [title, description].find((text) => typeof text === 'string');
}

function parse(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
