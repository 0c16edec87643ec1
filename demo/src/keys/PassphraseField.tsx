import type { ReactElement, RefObject } from 'react';
import { leastPassphrase } from './passphrase.ts';

interface PassphraseFieldProps {
  /** Uncontrolled: React would write a controlled value into the DOM's attributes. */
  readonly field: RefObject<HTMLInputElement | null>;
  readonly label: string;
  /** Whether the passphrase is chosen here. */
  readonly isNew?: boolean;
  readonly isWrong?: boolean;
  readonly onChange?: () => void;
}

export function PassphraseField(props: PassphraseFieldProps): ReactElement {
  const { field, label, isNew = false, isWrong = false, onChange } = props;
  return (
    <label className="stacked">
      <span>{label}</span>
      <input
        ref={field}
        type="password"
        required
        minLength={isNew ? leastPassphrase : undefined}
        autoComplete={isNew ? 'new-password' : 'current-password'}
        aria-invalid={isWrong}
        spellCheck={false}
        onChange={onChange}
      />
    </label>
  );
}
