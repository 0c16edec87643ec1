import { type ReactElement, useId } from 'react';
import type { Elicitation, Field } from './elicitation.ts';

interface ElicitationFieldsProps {
  readonly elicitation: Elicitation;
  readonly isDisabled: boolean;
  readonly onChoose: (choice: string) => void;
}

/** The inputs for an answer: one button per choice, or the fields of the form around them. */
export function ElicitationFields({ elicitation, isDisabled, onChoose }: ElicitationFieldsProps): ReactElement {
  switch (elicitation.kind) {
    case 'choice':
      return (
        <div className="choices">
          {elicitation.choices.map((choice, index) => (
            <button
              key={choice}
              type="button"
              data-first={index === 0 ? '' : undefined}
              disabled={isDisabled}
              onClick={() => onChoose(choice)}
            >
              <bdi>{choice}</bdi>
            </button>
          ))}
        </div>
      );
    case 'text':
    case 'json':
      return (
        <textarea
          name="answer"
          className={elicitation.kind === 'json' ? 'json' : 'answer-text'}
          aria-label={elicitation.kind === 'json' ? 'Answer as JSON' : 'Answer'}
          required
          rows={elicitation.kind === 'json' ? 4 : 2}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }}
        />
      );
    case 'form':
      return (
        <div className="fields">
          {elicitation.fields.map((field) => (
            <FormField key={field.name} field={field} />
          ))}
        </div>
      );
  }
}

function FormField({ field }: { readonly field: Field }): ReactElement {
  const { name, label, hint, isRequired, kind, choices } = field;
  const hintId = useId();
  const shared = { name, 'aria-describedby': hint === undefined ? undefined : hintId };
  return (
    <div className={kind === 'boolean' ? 'field check' : 'field'}>
      <label>
        <span>
          <bdi>{label}</bdi>
          {!isRequired && kind !== 'boolean' && <small> optional</small>}
        </span>
        {kind === 'choice' && (
          <select {...shared} required={isRequired} defaultValue="">
            <option value="" disabled={isRequired}>
              Choose…
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
        <p id={hintId} className="hint">
          {hint}
        </p>
      )}
    </div>
  );
}
