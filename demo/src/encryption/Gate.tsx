import { type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react';
import { UnlockForm } from '../keys/UnlockForm.tsx';
import { needsUnlocking, useVault } from '../keys/vault.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { Decrypting } from './Decrypting.tsx';
import { Encrypting } from './Encrypting.tsx';
import { GateScreen } from './GateScreen.tsx';
import { encryption, storeEncryption } from '../base/encryption.ts';
import '../styles/settings.css';

/** Shows the page while its encrypted conversations can be read; otherwise what has to be done first. */
export function Gate({ children }: { readonly children: ReactNode }): ReactNode {
  const state = useVault();
  const [isEncrypted, setIsEncrypted] = useState(encryption === 'on');
  if (state.status === 'opening') return null;
  if (needsUnlocking(state)) return <LockScreen />;
  if (state.status === 'memory') return <GoneScreen />;
  if (encryption === 'decrypting') return <Decrypting />;
  return isEncrypted ? children : <Encrypting onDone={() => setIsEncrypted(true)} />;
}

function LockScreen(): ReactElement {
  const { encryption: words } = useAllTexts();
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  return (
    <GateScreen title={words.lockedTitle}>
      <p className="hint">{words.lockedText}</p>
      <div ref={form}>
        <UnlockForm />
      </div>
    </GateScreen>
  );
}

/** The stored keys were erased, with the key of the conversations. */
function GoneScreen(): ReactElement {
  const { encryption: words } = useAllTexts();
  return (
    <GateScreen title={words.goneTitle}>
      <p className="hint">{words.goneText}</p>
      <div className="notice-verbs">
        <button
          type="button"
          className="primary"
          onClick={() => {
            storeEncryption('off');
            location.reload();
          }}
        >
          {words.goOn}
        </button>
      </div>
    </GateScreen>
  );
}
