import { type ReactElement, useRef } from 'react';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { PassphraseField } from './PassphraseField.tsx';
import { takeText } from './passphrase.ts';
import { reasonOf, useVaultAction } from './useVaultAction.ts';
import { vault } from './vault.ts';

/** Lets a passkey of this device unlock the keys, too. */
export function AddPasskey(): ReactElement {
  const { keys: words, common } = useAllTexts();
  const { isBusy, error, run } = useVaultAction();
  const passphrase = useRef<HTMLInputElement>(null);
  return (
    <form
      className="unlock"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) void run(() => vault.addPasskey(takeText(passphrase), { userName: common.app }));
      }}
    >
      <PassphraseField field={passphrase} label={words.passphrase} isWrong={error?.code === 'AUTHENTICATION_FAILED'} />
      {error && (
        <p className="hint bad" role="alert">
          {reasonOf(error, words)}
        </p>
      )}
      <div className="notice-verbs">
        <button type="submit" aria-disabled={isBusy}>
          {words.addPasskey}
        </button>
      </div>
    </form>
  );
}
