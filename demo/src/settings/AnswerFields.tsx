import { type ReactElement, useId } from 'react';
import {
  type AnswerSettings,
  type Effort,
  efforts,
  type NumberName,
  readNumber,
  usualSteps,
} from '../model/answerSettings.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';

/** What is typed: texts, so that what is no number can be shown and corrected. */
export type TypedAnswers = Readonly<Record<NumberName, string>> & { readonly effort: Effort | '' };

const numberNames = ['temperature', 'maxTokens', 'maxSteps'] as const;

export function toTyped(settings: AnswerSettings): TypedAnswers {
  const textOf = (name: NumberName): string => String(settings[name] ?? '');
  return {
    effort: settings.effort ?? '',
    temperature: textOf('temperature'),
    maxTokens: textOf('maxTokens'),
    maxSteps: textOf('maxSteps'),
  };
}

/** Returns the settings, or the name of the first field that is not valid. */
export function readTyped(typed: TypedAnswers): AnswerSettings | NumberName {
  const read: Partial<Record<NumberName, number>> = {};
  for (const name of numberNames) {
    const value = readNumber(name, typed[name]);
    if (value === 'invalid') return name;
    if (value !== undefined) read[name] = value;
  }
  return { ...(typed.effort !== '' && { effort: typed.effort }), ...read };
}

interface AnswerFieldsProps {
  readonly typed: TypedAnswers;
  readonly onChange: (typed: TypedAnswers) => void;
  /** What holds where a field is empty: the settings for all chats. Missing: these are they. */
  readonly shared?: AnswerSettings;
  /** The field that is not valid. */
  readonly problem: NumberName | undefined;
}

/** How the model answers: effort, temperature, length, requests. An empty field is as in the settings, or as the service does it. */
export function AnswerFields({ typed, onChange, shared, problem }: AnswerFieldsProps): ReactElement {
  const { chatSettings: words } = useAllTexts();
  const usual = { temperature: words.serviceDecides, maxTokens: words.serviceDecides, maxSteps: String(usualSteps) };
  return (
    <>
      <label className="stacked">
        <span>{words.effort}</span>
        <select
          value={typed.effort}
          onChange={({ target }) =>
            onChange({ ...typed, effort: efforts.find((effort) => effort === target.value) ?? '' })
          }
        >
          <option value="">
            {shared ? words.asInSettings(shared.effort ? words.efforts[shared.effort] : '') : words.efforts['']}
          </option>
          {efforts.map((effort) => (
            <option key={effort} value={effort}>
              {words.efforts[effort]}
            </option>
          ))}
        </select>
      </label>
      {numberNames.map((name) => {
        const value = shared?.[name];
        return (
          <NumberField
            key={name}
            label={words[name]}
            hint={words[`${name}Hint`]}
            problem={problem === name ? words.problems[name] : undefined}
            placeholder={shared ? words.asInSettings(value === undefined ? '' : String(value)) : usual[name]}
            value={typed[name]}
            onChange={(text) => onChange({ ...typed, [name]: text })}
          />
        );
      })}
    </>
  );
}

interface NumberFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly problem: string | undefined;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

function NumberField({ label, hint, problem, placeholder, value, onChange }: NumberFieldProps): ReactElement {
  const id = useId();
  return (
    <div className="stacked">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="text"
        inputMode="decimal"
        autoComplete="off"
        placeholder={placeholder}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-hint`}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      <small id={`${id}-hint`} className={problem === undefined ? 'hint' : 'hint bad'} role={problem && 'alert'}>
        {problem ?? hint}
      </small>
    </div>
  );
}
