import type { ReactElement, RefObject } from 'react';
import type { KeyLabels } from '../labels/key-english.ts';
import { PasswordField } from './PasswordField.tsx';
import { useHasPasskeys } from './useHasPasskeys.ts';

export interface NewPassphraseFields {
  readonly first: RefObject<HTMLInputElement | null>;
  readonly again: RefObject<HTMLInputElement | null>;
}

interface NewPassphraseProps {
  readonly fields: NewPassphraseFields;
  /** Number of keys that are stored with this one. */
  readonly others: number;
  readonly isInvalid: boolean;
  readonly describedBy: string | undefined;
  readonly withPasskey: boolean;
  readonly onPasskey: (withPasskey: boolean) => void;
  readonly words: KeyLabels;
}

/** Chooses the passphrase that encrypts the keys of this device. */
export function NewPassphrase(props: NewPassphraseProps): ReactElement {
  const { fields, others, isInvalid, describedBy, withPasskey, onPasskey, words } = props;
  const hasPasskeys = useHasPasskeys();
  const its = { autoComplete: 'new-password' as const, isInvalid, describedBy };
  return (
    <>
      <PasswordField field={fields.first} label={words.newPassphrase} {...its} />
      <PasswordField field={fields.again} label={words.repeat} {...its} />
      <p className="bk-hint">
        {words.passphraseNote} {others > 0 && words.alsoStored(others)}
      </p>
      {hasPasskeys && (
        <label className="bk-key-check">
          <input type="checkbox" checked={withPasskey} onChange={(event) => onPasskey(event.target.checked)} />
          <span>{words.alsoPasskey}</span>
        </label>
      )}
    </>
  );
}
