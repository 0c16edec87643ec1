import { type ReactElement, useEffect, useRef } from 'react';
import { encryption, storeEncryption } from '../encryption/setting.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { reasonOf, useVaultAction } from './useVaultAction.ts';
import { vault } from './vault.ts';

/** Erases all keys after one more question. */
export function EraseKeys({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { keys: words, encryption: encrypted, common } = useAllTexts();
  const { error, run } = useVaultAction();
  const cancel = useRef<HTMLButtonElement>(null);
  // The button that asked is gone.
  useEffect(() => {
    cancel.current?.focus();
  }, []);

  const erase = async (): Promise<void> => {
    if (!(await run(vault.forget))) return;
    if (encryption === 'off') onClose();
    else {
      storeEncryption('off');
      location.reload();
    }
  };

  return (
    <div className="unlock">
      <p role="alert">{encryption === 'off' ? words.eraseText : encrypted.eraseText}</p>
      {error && <p className="hint bad">{reasonOf(error, words)}</p>}
      <div className="notice-verbs">
        <button ref={cancel} type="button" onClick={onClose}>
          {common.cancel}
        </button>
        <button type="button" className="danger" onClick={() => void erase()}>
          {words.erase}
        </button>
      </div>
    </div>
  );
}
