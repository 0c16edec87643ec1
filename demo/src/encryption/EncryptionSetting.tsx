import { useFocusKeeper } from 'brooklet/ui';
import { type ReactElement, useRef, useState } from 'react';
import { useVault, vault } from '../keys/vault.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { Icon } from '../ui/Icon.tsx';
import { encryption, storeEncryption } from '../base/encryption.ts';
import { StopEncryption } from '../keys/StopEncryption.tsx';

/** Whether stored conversations are encrypted, and the ways to change that. */
export function EncryptionSetting({ onKeys }: { readonly onKeys: () => void }): ReactElement {
  const { encryption: words } = useAllTexts();
  const { status } = useVault();
  const [isStopping, setIsStopping] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  useFocusKeeper(root, root);
  const isOn = encryption !== 'off';
  return (
    <div ref={root} className="setting-group" tabIndex={-1}>
      <h3>{words.title}</h3>
      <p className={isOn ? 'state good' : 'state'}>
        <Icon name="key" />
        <strong>{isOn ? words.on : words.off}</strong>
      </p>
      {isOn ? (
        <>
          {!isStopping && <p className="hint">{words.onText}</p>}
          {isStopping ? (
            <StopEncryption text={words.turnOffText} onClose={() => setIsStopping(false)} />
          ) : (
            <div key="stop" className="buttons">
              <button type="button" data-focus-home onClick={() => setIsStopping(true)}>
                {words.turnOff}
              </button>
            </div>
          )}
        </>
      ) : status === 'open' ? (
        <>
          <p className="hint">{words.encryptText}</p>
          <div key="encrypt" className="buttons">
            <button
              type="button"
              onClick={() => {
                // In every tab: the pages after this one ask once more.
                vault.lock();
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
    </div>
  );
}
