import { type ReactElement, useRef } from 'react';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { PassphraseField } from './PassphraseField.tsx';
import { takeText } from './passphrase.ts';
import { useVaultAction } from './useVaultAction.ts';
import { vault } from './vault.ts';
import { VaultForm } from './VaultForm.tsx';

/** Lets a passkey of this device unlock the keys, too. */
export function AddPasskey(): ReactElement {
  const { keys: words, common } = useAllTexts();
  const action = useVaultAction();
  const { isBusy, error, run } = action;
  const passphrase = useRef<HTMLInputElement>(null);
  return (
    <VaultForm
      action={action}
      onSubmit={() => void run(() => vault.addPasskey(takeText(passphrase), { userName: common.app }))}
      verbs={
        <button type="submit" aria-disabled={isBusy}>
          {words.addPasskey}
        </button>
      }
    >
      <PassphraseField field={passphrase} label={words.passphrase} isWrong={error?.code === 'AUTHENTICATION_FAILED'} />
    </VaultForm>
  );
}
