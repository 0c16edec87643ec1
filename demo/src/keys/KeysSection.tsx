import { Segments, useFocusKeeper } from 'brooklet/ui';
import { type ReactElement, useRef, useState } from 'react';
import { encryption } from '../base/encryption.ts';
import { StopEncryption } from './StopEncryption.tsx';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { Icon } from '../ui/Icon.tsx';
import { KeyList } from './KeyList.tsx';
import { OpenVault } from './OpenVault.tsx';
import { ProtectForm } from './ProtectForm.tsx';
import { UnlockForm } from './UnlockForm.tsx';
import { reasonOf, useVaultAction } from './useVaultAction.ts';
import { needsUnlocking, useVault, vault } from './vault.ts';

/** The keys of the user, and whether they outlive the page. */
export function KeysSection(): ReactElement {
  const { keys: words, encryption: encrypted } = useAllTexts();
  const state = useVault();
  const { error, run } = useVaultAction();
  const [isProtecting, setIsProtecting] = useState(false);
  const [isStopping, setIsStopping] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  useFocusKeeper(root, root);
  const isOpen = state.status === 'open';
  const isLocked = needsUnlocking(state);

  const choosePlace = (place: 'memory' | 'stored'): void => {
    setIsProtecting(place === 'stored' && !isOpen);
    if (place === 'stored' || !isOpen) return;
    if (encryption === 'off') void run(vault.unprotect);
    else setIsStopping(true);
  };

  return (
    <div ref={root} className="settings settings-body keys" tabIndex={-1}>
      <KeyList state={state} />
      {isLocked ? (
        <>
          <p className="state">
            <Icon name="key" />
            <strong>{words.lockedState}</strong>
          </p>
          <p className="hint">{words.unlockText}</p>
          <UnlockForm />
        </>
      ) : (
        <>
          <Segments
            legend={words.keep}
            options={[
              { value: 'memory', label: words.inMemory },
              { value: 'stored', label: words.encrypted },
            ]}
            value={isOpen || isProtecting ? 'stored' : 'memory'}
            onChange={choosePlace}
          />
          <p className="hint">{isOpen || isProtecting ? words.encryptedText : words.inMemoryText}</p>
          {error && (
            <p className="hint bad" role="alert">
              {reasonOf(error, words)}
            </p>
          )}
          {isProtecting && !isOpen && <ProtectForm onProtected={() => setIsProtecting(false)} />}
          {isStopping && <StopEncryption text={encrypted.turnOffFirst} onClose={() => setIsStopping(false)} />}
          {isOpen && <OpenVault locks={state.locks} />}
        </>
      )}
    </div>
  );
}
