import { type ReactElement, useId } from 'react';
import { isComposing } from '../base/isComposing.ts';
import { isJsonObject, type Json } from '../../core/model/index.ts';
import type { Labels } from '../labels/english.ts';
import { type Field, type FormKind, single } from './schema.ts';
import { visible } from '../base/visible.ts';

interface FormFieldsProps {
  readonly form: FormKind;
  /** The value before the person has changed it. */
  readonly value: Json | undefined;
  /** What is wrong with a field, by its name. */
  readonly problems: ReadonlyMap<string, string>;
  readonly labels: Labels['form'];
  readonly onChoose: (value: Json) => void;
}

/** The inputs of a form: one button for each choice, or fields. */
export function FormFields({ form, value, problems, labels, onChoose }: FormFieldsProps): ReactElement {
  switch (form.kind) {
    case 'choice':
      return <Choices choices={form.choices.map((choice) => ({ label: choice, value: choice }))} onChoose={onChoose} />;
    case 'boolean':
      return (
        <Choices
          choices={[
            { label: labels.yes, value: true },
            { label: labels.no, value: false },
          ]}
          onChoose={onChoose}
        />
      );
    case 'text':
    case 'json':
      return <TextArea kind={form.kind} value={value} problem={problems.get(single)} labels={labels} />;
    case 'fields':
      return (
        <div className="bk-fields">
          {form.fields.map((field) => (
            <FormField
              key={field.name}
              field={field}
              value={isJsonObject(value) ? value[field.name] : value}
              problem={problems.get(field.name)}
              labels={labels}
            />
          ))}
        </div>
      );
  }
}

interface ChoicesProps {
  readonly choices: readonly { readonly label: string; readonly value: Json }[];
  readonly onChoose: (value: Json) => void;
}

function Choices({ choices, onChoose }: ChoicesProps): ReactElement {
  return (
    <div className="bk-choices">
      {choices.map(({ label, value }, index) => (
        <button
          key={label}
          type="button"
          className="bk-button"
          data-first={index === 0 ? '' : undefined}
          onClick={() => onChoose(value)}
        >
          <bdi>{visible(label)}</bdi>
        </button>
      ))}
    </div>
  );
}

interface TextAreaProps {
  readonly kind: 'text' | 'json';
  readonly value: Json | undefined;
  readonly problem: string | undefined;
  readonly labels: Labels['form'];
}

/** Enter submits a text and breaks the line in JSON, which Ctrl+Enter submits. */
function TextArea({ kind, value, problem, labels }: TextAreaProps): ReactElement {
  const id = useId();
  const text = value === undefined ? '' : typeof value === 'string' && kind === 'text' ? value : format(value);
  return (
    <>
      <textarea
        name={single}
        data-kind={kind}
        aria-label={kind === 'json' ? labels.json : labels.submit}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : id}
        required
        spellCheck={kind === 'text'}
        rows={kind === 'json' ? Math.min(14, Math.max(4, text.split('\n').length + 1)) : 2}
        defaultValue={text}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || isComposing(event.nativeEvent)) return;
          if (kind === 'json' && !event.ctrlKey && !event.metaKey) return;
          event.preventDefault();
          event.currentTarget.form?.requestSubmit();
        }}
      />
      <FieldProblem id={id} text={problem} />
    </>
  );
}

const format = (value: Json): string => JSON.stringify(value, null, 2);

function FieldProblem({ id, text }: { readonly id: string; readonly text: string | undefined }): ReactElement | null {
  if (text === undefined) return null;
  return (
    <p id={id} className="bk-bad">
      {text}
    </p>
  );
}

interface FormFieldProps {
  readonly field: Field;
  readonly value: Json | undefined;
  readonly problem: string | undefined;
  readonly labels: Labels['form'];
}

function FormField({ field, value, problem, labels }: FormFieldProps): ReactElement {
  const { name, label, hint, isRequired, kind, choices } = field;
  const id = useId();
  const described = [hint !== undefined && `${id}-hint`, problem !== undefined && `${id}-problem`].filter(
    (one) => one !== false,
  );
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  const shared = {
    name,
    'aria-label': label === '' ? labels.submit : undefined,
    'aria-describedby': described.length > 0 ? described.join(' ') : undefined,
    'aria-invalid': problem !== undefined,
  };
  return (
    <div className="bk-field" data-kind={kind}>
      <label>
        <span>
          <bdi>{visible(label)}</bdi>
          {!isRequired && kind !== 'boolean' && <small> {labels.optional}</small>}
        </span>
        {kind === 'choice' && (
          <select {...shared} required={isRequired} defaultValue={text}>
            <option value="" disabled={isRequired}>
              {labels.choose}
            </option>
            {choices.map((choice) => (
              <option key={choice}>{choice}</option>
            ))}
          </select>
        )}
        {kind === 'boolean' && <input {...shared} type="checkbox" defaultChecked={value === true} />}
        {kind === 'text' && text.includes('\n') && (
          <textarea {...shared} rows={6} defaultValue={text} required={isRequired} />
        )}
        {kind === 'text' && !text.includes('\n') && (
          <input {...shared} type="text" defaultValue={text} required={isRequired} />
        )}
        {(kind === 'number' || kind === 'integer') && (
          <input
            {...shared}
            type="number"
            step={kind === 'integer' ? 1 : 'any'}
            defaultValue={text}
            required={isRequired}
          />
        )}
      </label>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="bk-hint">
          {hint}
        </p>
      )}
      <FieldProblem id={`${id}-problem`} text={problem} />
    </div>
  );
}
