import { type ReactElement, type ReactNode, useId } from 'react';

interface FieldProps {
  readonly label: string;
  readonly hint?: string;
  /** Why the value cannot be used. */
  readonly problem?: string | undefined;
  /** Renders the field with the attributes that name its hint. */
  readonly children: (described: { 'aria-describedby'?: string; 'aria-invalid'?: true }) => ReactNode;
}

/** A field with its label, its hint, and what is wrong with its value. */
export function Field({ label, hint, problem, children }: FieldProps): ReactElement {
  const id = useId();
  const text = problem ?? hint;
  return (
    <div className="device-field">
      <label className="stacked">
        <span>{label}</span>
        {children({
          ...(text !== undefined && { 'aria-describedby': id }),
          ...(problem !== undefined && { 'aria-invalid': true }),
        })}
      </label>
      {text !== undefined && (
        <p id={id} className={problem === undefined ? 'hint' : 'hint bad'}>
          {text}
        </p>
      )}
    </div>
  );
}
