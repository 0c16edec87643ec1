import { type AgentSession, fingerprintOf, type Json, type JsonObject, type ToolPart } from 'brooklet';
import { type ReactElement, useEffect, useId, useRef, useState } from 'react';
import { tabName } from '../tab.ts';
import { QuestionFields } from './QuestionFields.tsx';
import { readQuestion, toAnswer, toChoice } from './question.ts';
import { TimeLeft } from './TimeLeft.tsx';
import { useDeciding } from './useDeciding.ts';

/** Puts a question of the agent's before the person: buttons, a text field, or a form. */
export function QuestionForm({
  session,
  call,
}: {
  readonly session: AgentSession;
  readonly call: ToolPart;
}): ReactElement {
  const schema: JsonObject = call.approval?.elicitation ?? {};
  const question = readQuestion(schema);
  const { isDeciding, problem, setProblem, decide } = useDeciding();
  const form = useRef<HTMLFormElement>(null);
  const titleId = useId();
  const [isDeclining, setIsDeclining] = useState(false);

  useEffect(() => {
    // Who waits for the agent is led to what it asks; who is writing is left alone.
    const focused = document.activeElement;
    if (
      focused === null ||
      focused === document.body ||
      (focused instanceof HTMLTextAreaElement && focused.value === '')
    )
      form.current?.querySelector<HTMLElement>('[data-first], input, textarea, select')?.focus();
  }, []);

  const signed = { userName: tabName, fingerprint: fingerprintOf(call) };
  const answer = (given: Json): void => decide(() => session.answer(call.callId, given, signed));
  const decline = (reason: string): void =>
    decide(() => session.reject(call.callId, { ...signed, ...(reason !== '' && { reason }) }));

  const submit = (entries: FormData): void => {
    const given = entries.get('answer');
    const text = typeof given === 'string' ? given : '';
    if (isDeclining) decline(text.trim());
    else if (question.kind === 'form') answer(toAnswer(question.fields, entries));
    else if (question.kind === 'text') answer(text);
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
          <span>Why not? The agent is told.</span>
          {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the person has just asked to type here */}
          <input name="answer" autoFocus placeholder="Optional" />
        </label>
      ) : (
        <QuestionFields
          question={question}
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
              Do not answer
            </button>
            <button type="button" onClick={() => setIsDeclining(false)}>
              Back
            </button>
          </>
        ) : (
          <>
            {question.kind !== 'choice' && (
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
