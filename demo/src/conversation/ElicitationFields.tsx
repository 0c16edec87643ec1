import type { Json } from 'brooklet';
import { type ReactElement, useId } from 'react';
import { isComposing } from '../ui/isComposing.ts';
import type { Elicitation, Field } from './elicitation.ts';
import { useTexts } from '../texts/useTexts.ts';

interface ElicitationFieldsProps {
  readonly elicitation: Elicitation;
  /** What is wrong with a field, by its name. */
  readonly problems: ReadonlyMap<string, string>;
  readonly onChoose: (answer: Json) => void;
}

/** The inputs for an answer: one button per choice, or the fields of the form around them. */
export function ElicitationFields({ elicitation, problems, onChoose }: ElicitationFieldsProps): ReactElement {
  const { question: text } = useTexts();
  switch (elicitation.kind) {
    case 'choice':
      return (
        <Choices
          choices={elicitation.choices.map((choice) => ({ label: choice, answer: choice }))}
          onChoose={onChoose}
        />
      );
    case 'boolean':
      return (
        <Choices
          choices={[
            { label: text.yes, answer: true },
            { label: text.no, answer: false },
          ]}
          onChoose={onChoose}
        />
      );
    case 'text':
    case 'json':
      return (
        <>
          <textarea
            name="answer"
            className={elicitation.kind === 'json' ? 'json' : 'answer-text'}
            aria-label={elicitation.kind === 'json' ? text.answerAsJson : text.answer}
            aria-invalid={problems.has('answer')}
            required
            rows={elicitation.kind === 'json' ? 4 : 2}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey || isComposing(event.nativeEvent)) return;
              event.preventDefault();
              event.currentTarget.form?.requestSubmit();
            }}
          />
          <FieldProblem text={problems.get('answer')} />
        </>
      );
    case 'form':
      return (
        <div className="fields">
          {elicitation.fields.map((field) => (
            <FormField key={field.name} field={field} problem={problems.get(field.name)} />
          ))}
        </div>
      );
  }
}

interface ChoicesProps {
  readonly choices: readonly { readonly label: string; readonly answer: Json }[];
  readonly onChoose: (answer: Json) => void;
}

/** A button for each answer. */
function Choices({ choices, onChoose }: ChoicesProps): ReactElement {
  return (
    <div className="choices">
      {choices.map(({ label, answer }, index) => (
        <button key={label} type="button" data-first={index === 0 ? '' : undefined} onClick={() => onChoose(answer)}>
          <bdi>{label}</bdi>
        </button>
      ))}
    </div>
  );
}

function FieldProblem({ id, text }: { readonly id?: string; readonly text: string | undefined }): ReactElement | null {
  if (text === undefined) return null;
  return (
    <p id={id} className="bad field-problem">
      {text}
    </p>
  );
}

function FormField({ field, problem }: { readonly field: Field; readonly problem: string | undefined }): ReactElement {
  const { question: text } = useTexts();
  const { name, label, hint, isRequired, kind, choices } = field;
  const id = useId();
  const described = [hint !== undefined && `${id}-hint`, problem !== undefined && `${id}-problem`].filter(
    (part) => part !== false,
  );
  const shared = {
    name,
    'aria-describedby': described.length > 0 ? described.join(' ') : undefined,
    'aria-invalid': problem !== undefined,
  };
  return (
    <div className={kind === 'boolean' ? 'field check' : 'field'}>
      <label>
        <span>
          <bdi>{label}</bdi>
          {!isRequired && kind !== 'boolean' && <small> {text.optional}</small>}
        </span>
        {kind === 'choice' && (
          <select {...shared} required={isRequired} defaultValue="">
            <option value="" disabled={isRequired}>
              {text.choose}
            </option>
            {choices.map((choice) => (
              <option key={choice}>{choice}</option>
            ))}
          </select>
        )}
        {kind === 'boolean' && <input {...shared} type="checkbox" />}
        {kind === 'text' && <input {...shared} type="text" required={isRequired} />}
        {(kind === 'number' || kind === 'integer') && (
          <input {...shared} type="number" step={kind === 'integer' ? 1 : 'any'} required={isRequired} />
        )}
      </label>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
      <FieldProblem id={`${id}-problem`} text={problem} />
    </div>
  );
}
