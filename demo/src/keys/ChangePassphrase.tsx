import { type ReactElement, useRef, useState } from 'react';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { PassphraseField } from './PassphraseField.tsx';
import { takeText } from './passphrase.ts';
import { reasonOf, useVaultAction } from './useVaultAction.ts';
import { vault } from './vault.ts';

/** Replaces the passphrase; passkeys keep unlocking. */
export function ChangePassphrase(): ReactElement {
  const { keys: words } = useAllTexts();
  const { isBusy, error, run } = useVaultAction();
  const [isChanged, setIsChanged] = useState(false);
  const current = useRef<HTMLInputElement>(null);
  const next = useRef<HTMLInputElement>(null);
  return (
    <form
      className="unlock"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) void run(() => vault.changePassphrase(takeText(current), takeText(next))).then(setIsChanged);
      }}
    >
      <PassphraseField field={current} label={words.passphrase} isWrong={error?.code === 'AUTHENTICATION_FAILED'} />
      <PassphraseField field={next} label={words.newPassphrase} isNew />
      {error && (
        <p className="hint bad" role="alert">
          {reasonOf(error, words)}
        </p>
      )}
      <output className="hint">{isChanged && words.changed}</output>
      <div className="notice-verbs">
        <button type="submit" aria-disabled={isBusy}>
          {words.changePassphrase}
        </button>
      </div>
    </form>
  );
}
