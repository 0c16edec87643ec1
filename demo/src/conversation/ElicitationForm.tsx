import { type AgentSession, type Json, type JsonObject, type ToolPart } from 'brooklet';
import { type KeyboardEvent, type ReactElement, type SubmitEvent, useEffect, useId, useRef, useState } from 'react';
import { callReady } from '../callReady.ts';
import { textIn } from '../json.ts';
import { isComposing } from '../ui/isComposing.ts';
import { decisionOn } from './decisionOn.ts';
import { readElicitation, toAnswer } from './elicitation.ts';
import { ElicitationFields } from './ElicitationFields.tsx';
import { fieldProblems } from './fieldProblems.ts';
import { TimeLeft } from './TimeLeft.tsx';
import { titleOf } from './titleOf.ts';
import type { Deciding } from './useDeciding.ts';
import { useTexts } from '../texts/useTexts.ts';

interface ElicitationFormProps {
  readonly session: AgentSession;
  readonly call: ToolPart;
  readonly deciding: Deciding;
}

const none: ReadonlyMap<string, string> = new Map();

/** Asks the user for the answer to an elicitation: with buttons, a text field, or a form. */
export function ElicitationForm({ session, call, deciding }: ElicitationFormProps): ReactElement {
  const words = useTexts();
  const { question: text, approval } = words;
  const schema: JsonObject = call.approval?.elicitation ?? {};
  const elicitation = readElicitation(schema);
  // A server may ask the user to do something at an address.
  const address = textIn(schema, 'x-mcp-url');
  const { isDeciding, refusal, decide } = deciding;
  const form = useRef<HTMLFormElement>(null);
  const titleId = useId();
  const [isDeclining, setIsDeclining] = useState(false);
  const [problems, setProblems] = useState(none);
  const [isTyped, setIsTyped] = useState(false);

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

  const options = decisionOn(session, call);
  const answer = (given: Json): void =>
    decide(async () => {
      await callReady(call);
      await session.answer(call.callId, given, options);
    });
  const decline = (reason: string): void =>
    decide(() => session.reject(call.callId, { ...options, ...(reason !== '' && { reason }) }));

  const submitAnswer = (element: HTMLFormElement): void => {
    const entries = new FormData(element);
    const found = fieldProblems(element, text);
    const given = textOf(entries, 'answer');
    if (found.size > 0) showProblems(found, element);
    else if (elicitation.kind === 'form') answer(toAnswer(elicitation.fields, entries));
    else if (elicitation.kind === 'text') answer(given);
    else {
      const value = parse(given);
      if (value === undefined) showProblems(new Map([['answer', text.notJson]]), element);
      else answer(value);
    }
  };
  const showProblems = (found: ReadonlyMap<string, string>, element: HTMLFormElement): void => {
    setProblems(found);
    const [first = ''] = found.keys();
    element.querySelector<HTMLElement>(`[name="${CSS.escape(first)}"]`)?.focus();
  };

  const onSubmit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setProblems(none);
    if (isDeclining) decline(textOf(new FormData(event.currentTarget), 'reason').trim());
    else submitAnswer(event.currentTarget);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !isDeclining || isComposing(event.nativeEvent)) return;
    event.preventDefault();
    setIsDeclining(false);
  };

  return (
    <form
      autoComplete="off"
      ref={form}
      className="approval question-form"
      aria-labelledby={titleId}
      // The problems are shown beside the fields, not in a bubble of the browser.
      noValidate
      data-typed={isTyped ? '' : undefined}
      onInput={() => setIsTyped(true)}
      onSubmit={onSubmit}
      onKeyDown={onKeyDown}
    >
      <p className="ask">
        <strong id={titleId}>
          <bdi>{questionOf(schema) ?? text.asksYou(titleOf(words, call.name))}</bdi>
        </strong>
        {call.approval?.expiresAt !== undefined && <TimeLeft until={call.approval.expiresAt} />}
      </p>
      {address.startsWith('https://') && (
        <p>
          <a href={address} target="_blank" rel="noreferrer">
            <bdi>{address}</bdi>
          </a>
        </p>
      )}
      {/* Hidden, not removed: what was typed stays. */}
      <div hidden={isDeclining}>
        <ElicitationFields elicitation={elicitation} problems={problems} onChoose={answer} />
      </div>
      {isDeclining && (
        <label className="reason">
          <span>{approval.whyNot}</span>
          {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the user has just asked to type here */}
          <input name="reason" autoFocus placeholder={approval.optional} />
        </label>
      )}
      {refusal !== undefined && (
        <p className="bad" role="alert">
          {refusal.message}
        </p>
      )}
      <div className="approval-verbs">
        {isDeclining ? (
          <>
            <button type="submit" className="danger" aria-disabled={isDeciding}>
              {text.decline}
            </button>
            <button type="button" onClick={() => setIsDeclining(false)}>
              {approval.back}
            </button>
          </>
        ) : (
          <>
            {elicitation.kind !== 'choice' && elicitation.kind !== 'boolean' && (
              <button type="submit" className="primary" aria-disabled={isDeciding}>
                {text.answer}
              </button>
            )}
            <button type="button" className="quiet" onClick={() => setIsDeclining(true)}>
              {text.ratherNot}
            </button>
          </>
        )}
      </div>
    </form>
  );
}

function textOf(entries: FormData, name: string): string {
  const value = entries.get(name);
  return typeof value === 'string' ? value : '';
}

function questionOf({ title, description }: JsonObject): string | undefined {
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
