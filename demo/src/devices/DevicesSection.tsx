import { useObservable } from 'brooklet/react';
import { useFocusKeeper } from 'brooklet/ui';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { UnlockForm } from '../keys/UnlockForm.tsx';
import { needsUnlocking, useVault } from '../keys/vault.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { ConnectForm } from './ConnectForm.tsx';
import { disconnect } from './connect.ts';
import { EngineCard } from './EngineCard.tsx';
import { engine } from '../base/engine.ts';
import { start } from './sync.ts';
import '../styles/devices.css';

/** The engine over which the devices of the user keep their conversations in step. */
export function DevicesSection(): ReactElement {
  const { devices: words, keys } = useAllTexts();
  const chosen = useObservable(engine.value$, engine.get);
  const vault = useVault();
  const [isDisconnected, setIsDisconnected] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  useFocusKeeper(root, root);
  useEffect(start, []);

  const leave = async (): Promise<void> => {
    await disconnect();
    setIsDisconnected(true);
  };

  return (
    <div ref={root} className="settings settings-body devices" tabIndex={-1}>
      {needsUnlocking(vault) && (
        <div className="settings-lock">
          <p className="hint">{keys.lockedConnection}</p>
          <UnlockForm />
        </div>
      )}
      {chosen ? (
        <EngineCard engine={chosen} onDisconnect={() => void leave()} />
      ) : (
        <>
          <p className="hint">{words.intro}</p>
          <p className="hint">{words.encrypted}</p>
          <output className="hint">{isDisconnected && words.disconnected}</output>
          <ConnectForm />
        </>
      )}
    </div>
  );
}
