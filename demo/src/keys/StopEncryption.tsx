import { type ReactElement, useEffect, useRef } from 'react';
import { vault } from './vault.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { storeEncryption } from '../base/encryption.ts';

interface StopEncryptionProps {
  readonly text: string;
  readonly onClose: () => void;
}

/** Turns off the encryption of conversations after one more question. */
export function StopEncryption({ text, onClose }: StopEncryptionProps): ReactElement {
  const { encryption: words, common } = useAllTexts();
  const cancel = useRef<HTMLButtonElement>(null);
  // The button that asked may be gone.
  useEffect(() => {
    cancel.current?.focus();
  }, []);

  return (
    <div className="unlock">
      <p role="alert">{text}</p>
      <div className="notice-verbs">
        <button ref={cancel} type="button" onClick={onClose}>
          {common.cancel}
        </button>
        <button
          type="button"
          className="danger"
          onClick={() => {
            // In every tab: the pages after this one ask once more.
            vault.lock();
            storeEncryption('decrypting');
            location.reload();
          }}
        >
          {words.turnOff}
        </button>
      </div>
    </div>
  );
}
