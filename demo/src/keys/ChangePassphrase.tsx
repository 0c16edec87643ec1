import { type ReactElement, useRef, useState } from 'react';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { PassphraseField } from './PassphraseField.tsx';
import { takeText } from './passphrase.ts';
import { useVaultAction } from './useVaultAction.ts';
import { vault } from './vault.ts';
import { VaultForm } from './VaultForm.tsx';

/** Replaces the passphrase; passkeys keep unlocking. */
export function ChangePassphrase(): ReactElement {
  const { keys: words } = useAllTexts();
  const action = useVaultAction();
  const { isBusy, error, run } = action;
  const [isChanged, setIsChanged] = useState(false);
  const current = useRef<HTMLInputElement>(null);
  const next = useRef<HTMLInputElement>(null);
  return (
    <VaultForm
      action={action}
      onSubmit={() => void run(() => vault.changePassphrase(takeText(current), takeText(next))).then(setIsChanged)}
      verbs={
        <button type="submit" aria-disabled={isBusy}>
          {words.changePassphrase}
        </button>
      }
    >
      <PassphraseField field={current} label={words.passphrase} isWrong={error?.code === 'AUTHENTICATION_FAILED'} />
      <PassphraseField field={next} label={words.newPassphrase} isNew />
      <output className="hint">{isChanged && words.changed}</output>
    </VaultForm>
  );
}
