import type { ReactElement } from 'react';
import { useVault } from '../keys/vault.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { Icon } from '../ui/Icon.tsx';
import { encryption, storeEncryption } from './setting.ts';

/** Whether stored conversations are encrypted, and the way to encrypt them. */
export function EncryptionSetting({ onKeys }: { readonly onKeys: () => void }): ReactElement {
  const { encryption: words } = useAllTexts();
  const { status } = useVault();
  const isOn = encryption !== 'off';
  return (
    <>
      <h3>{words.title}</h3>
      <p className={isOn ? 'state good' : 'state'}>
        <Icon name="key" />
        <strong>{isOn ? words.on : words.off}</strong>
      </p>
      {isOn ? (
        <p className="hint">{words.onText}</p>
      ) : status === 'open' ? (
        <>
          <p className="hint">{words.encryptText}</p>
          <div className="buttons">
            <button
              type="button"
              onClick={() => {
                storeEncryption('encrypting');
                location.reload();
              }}
            >
              {words.encrypt}
            </button>
          </div>
        </>
      ) : (
        <div className="with-button">
          <p className="hint">{status === 'locked' ? words.unlockFirst : words.needsPassphrase}</p>
          <button type="button" onClick={onKeys}>
            {status === 'locked' ? words.toKeys : words.setPassphrase}
          </button>
        </div>
      )}
    </>
  );
}
