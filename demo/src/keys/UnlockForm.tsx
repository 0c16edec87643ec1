import { type ReactElement, useRef, useState } from 'react';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { EraseKeys } from './EraseKeys.tsx';
import { PassphraseField } from './PassphraseField.tsx';
import { takeText } from './passphrase.ts';
import { reasonOf, useVaultAction } from './useVaultAction.ts';
import { useVault, vault } from './vault.ts';
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
  const { isBusy, error, run } = useVaultAction();
  const [isErasing, setIsErasing] = useState(false);
  const passphrase = useRef<HTMLInputElement>(null);

  const unlock = async (open: () => Promise<void>): Promise<void> => {
    if (await run(open)) onUnlocked?.();
    else passphrase.current?.focus();
  };

  if (isErasing) return <EraseKeys onClose={() => setIsErasing(false)} />;
  return (
    <form
      className="unlock"
      aria-label={words.unlock}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) void unlock(() => vault.unlock(takeText(passphrase)));
      }}
    >
      <PassphraseField field={passphrase} label={words.passphrase} isWrong={error?.code === 'AUTHENTICATION_FAILED'} />
      {error && (
        <p className="hint bad" role="alert">
          {reasonOf(error, words)}
        </p>
      )}
      <div className="notice-verbs">
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
      </div>
    </form>
  );
}
