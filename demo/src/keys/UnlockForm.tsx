import { type ReactElement, useRef, useState } from 'react';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { EraseKeys } from './EraseKeys.tsx';
import { PassphraseField } from './PassphraseField.tsx';
import { takeText } from './passphrase.ts';
import { useVaultAction } from './useVaultAction.ts';
import { useVault, vault } from './vault.ts';
import { VaultForm } from './VaultForm.tsx';
import '../styles/keys.css';

interface UnlockFormProps {
  /** The name of the button. Default: Unlock. */
  readonly label?: string;
  readonly onUnlocked?: () => void;
}

/** Unlocks the stored keys by passphrase or passkey, or erases them. */
export function UnlockForm({ label, onUnlocked }: UnlockFormProps): ReactElement {
  const { keys: words } = useAllTexts();
  const { locks } = useVault();
  const action = useVaultAction();
  const { isBusy, error, run } = action;
  const [isErasing, setIsErasing] = useState(false);
  const passphrase = useRef<HTMLInputElement>(null);

  const unlock = async (open: () => Promise<void>): Promise<void> => {
    if (await run(open)) onUnlocked?.();
    else passphrase.current?.focus();
  };

  if (isErasing) return <EraseKeys onClose={() => setIsErasing(false)} />;
  return (
    <VaultForm
      action={action}
      label={words.unlock}
      onSubmit={() => void unlock(() => vault.unlock(takeText(passphrase)))}
      verbs={
        <>
          <button type="submit" className="primary" aria-disabled={isBusy}>
            {isBusy ? words.unlocking : (label ?? words.unlock)}
          </button>
          {locks.includes('passkey') && (
            <button type="button" disabled={isBusy} onClick={() => void unlock(vault.unlockWithPasskey)}>
              {words.usePasskey}
            </button>
          )}
          <button type="button" className="link" onClick={() => setIsErasing(true)}>
            {words.forgotten}
          </button>
        </>
      }
    >
      <PassphraseField field={passphrase} label={words.passphrase} isWrong={error?.code === 'AUTHENTICATION_FAILED'} />
    </VaultForm>
  );
}
