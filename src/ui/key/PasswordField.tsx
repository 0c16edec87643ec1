import type { ReactElement } from 'react';
import type { ElementRef } from '../base/ElementRef.ts';

interface PasswordFieldProps {
  /** The text stays in its field: React would write a controlled one into an attribute. */
  readonly field: ElementRef<HTMLInputElement>;
  readonly label: string;
  readonly autoComplete: 'off' | 'new-password' | 'current-password';
  readonly placeholder?: string | undefined;
  readonly isInvalid: boolean;
  /** Id of what is said of the field. */
  readonly describedBy: string | undefined;
  readonly onChange?: (() => void) | undefined;
}

/** A field whose text is not shown. */
export function PasswordField(props: PasswordFieldProps): ReactElement {
  const { field, label, autoComplete, placeholder, isInvalid, describedBy, onChange } = props;
  const isKey = autoComplete === 'off';
  return (
    <label className="bk-key-row">
      <span>{label}</span>
      <input
        ref={field}
        type="password"
        dir="ltr"
        autoComplete={autoComplete}
        autoCapitalize="off"
        spellCheck={false}
        placeholder={placeholder}
        aria-invalid={isInvalid}
        aria-describedby={describedBy}
        // A password manager would offer to fill in, or to keep, what is not a password of this site.
        data-1p-ignore={isKey ? '' : undefined}
        data-lpignore={isKey ? 'true' : undefined}
        onChange={onChange}
      />
    </label>
  );
}
