import { useHasPasskeys } from 'brooklet/ui';
import { type ReactElement, useRef, useState } from 'react';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { PassphraseField } from './PassphraseField.tsx';
import { takeText } from './passphrase.ts';
import { useVaultAction } from './useVaultAction.ts';
import { vault } from './vault.ts';
import { VaultForm } from './VaultForm.tsx';

/** Chooses a passphrase, and stores the keys encrypted with it. */
export function ProtectForm({ onProtected }: { readonly onProtected: () => void }): ReactElement {
  const { keys: words, common } = useAllTexts();
  const action = useVaultAction();
  const { isBusy, run } = action;
  const hasPasskeys = useHasPasskeys();
  const [withPasskey, setWithPasskey] = useState(false);
  const passphrase = useRef<HTMLInputElement>(null);
  const again = useRef<HTMLInputElement>(null);

  const compare = (): void =>
    again.current?.setCustomValidity(again.current.value === passphrase.current?.value ? '' : words.different);

  const protect = async (): Promise<void> => {
    const chosen = takeText(passphrase);
    takeText(again);
    const isStored = await run(async () => {
      await vault.protect(chosen);
      if (withPasskey) await vault.addPasskey(chosen, { userName: common.app });
    });
    if (isStored) onProtected();
  };

  return (
    <VaultForm
      action={action}
      onSubmit={() => void protect()}
      verbs={
        <button type="submit" className="primary" aria-disabled={isBusy}>
          {isBusy ? words.encrypting : words.protect}
        </button>
      }
    >
      <PassphraseField field={passphrase} label={words.newPassphrase} isNew onChange={compare} />
      <PassphraseField field={again} label={words.repeat} isNew onChange={compare} />
      <p className="hint">{words.passphraseHint}</p>
      {hasPasskeys && (
        <label className="check">
          <input type="checkbox" checked={withPasskey} onChange={(event) => setWithPasskey(event.target.checked)} />
          <span>{words.alsoPasskey}</span>
        </label>
      )}
    </VaultForm>
  );
}
