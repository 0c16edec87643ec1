import { type ReactElement, useRef, useState } from 'react';
import type { NumberName } from '../model/answerSettings.ts';
import { defaults, maxDefaultInstructions } from '../model/defaults.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { AnswerFields, readTyped, toTyped } from './AnswerFields.tsx';

/** Instructions for all chats, and how the model answers in each that has nothing else of its own. */
export function AnswersSection(): ReactElement {
  const { chatSettings: words } = useAllTexts();
  const [instructions, setInstructions] = useState(() => defaults.get().instructions);
  const [typed, setTyped] = useState(() => toTyped(defaults.get()));
  const [problem, setProblem] = useState<NumberName>();
  const [isSaved, setIsSaved] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  const save = (): void => {
    const answers = readTyped(typed);
    const isValid = typeof answers === 'object';
    setProblem(isValid ? undefined : answers);
    setIsSaved(isValid);
    if (isValid) defaults.change(() => ({ ...answers, instructions: instructions.trim() }));
    else requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
  };

  return (
    <form
      ref={form}
      className="settings settings-body"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
      onInput={() => setIsSaved(false)}
    >
      <p className="hint">{words.allHint}</p>
      <label className="stacked">
        <span>{words.allInstructions}</span>
        <textarea
          rows={5}
          maxLength={maxDefaultInstructions}
          placeholder={words.instructionsPlaceholder}
          value={instructions}
          onChange={({ target }) => setInstructions(target.value)}
        />
        <small className="hint">{words.allInstructionsHint}</small>
      </label>
      <AnswerFields typed={typed} onChange={setTyped} problem={problem} />
      <div className="modal-verbs">
        <output className="hint grow">{isSaved ? words.saved : words.applies}</output>
        <button type="submit" className="primary">
          {words.save}
        </button>
      </div>
    </form>
  );
}
