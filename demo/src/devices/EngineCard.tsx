import { useObservable } from 'brooklet/react';
import { type ReactElement, useState } from 'react';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { Icon } from '../ui/Icon.tsx';
import { RoomIcon } from '../ui/RoomIcon.tsx';
import { AddressForm } from './AddressForm.tsx';
import type { Engine } from '../base/engine.ts';
import { InviteDevice } from './InviteDevice.tsx';
import { KnownDevices } from './KnownDevices.tsx';
import { isConnected, isConnected$, store } from './store.ts';
import { getSyncState, syncState$ } from './sync.ts';
import { SyncStatus } from './SyncStatus.tsx';

interface EngineCardProps {
  readonly engine: Engine;
  readonly onDisconnect: () => void;
}

/** The engine of this device: how far it is, and what can be done. */
export function EngineCard({ engine, onDisconnect }: EngineCardProps): ReactElement {
  const { devices: words } = useAllTexts();
  const state = useObservable(syncState$, getSyncState);
  const isShared = useObservable(isConnected$, isConnected);
  const [isInviting, setIsInviting] = useState(false);
  return (
    <>
      <SyncStatus state={state} />
      <dl className="device-facts">
        <div>
          <dt>{words.engine}</dt>
          <dd>
            <bdi>{new URL(engine.url).host}</bdi> · <bdi>{engine.user}</bdi>
          </dd>
        </div>
        <div>
          <dt>{words.thisDevice}</dt>
          <dd>
            <bdi>{engine.device}</bdi>
          </dd>
        </div>
      </dl>
      {(state.is === 'missing' || state.is === 'refused') && <AddressForm known={engine} />}
      {isShared && isInviting ? (
        <InviteDevice engine={engine} onClose={() => setIsInviting(false)} />
      ) : (
        <>
          <div className="buttons">
            {isShared && (
              <>
                <button type="button" className="primary" onClick={() => setIsInviting(true)}>
                  <RoomIcon name="devices" />
                  <span>{words.add}</span>
                </button>
                {/* The status tells whether it went well. */}
                <button type="button" onClick={() => void store.sync().catch(() => {})}>
                  <Icon name="refresh" />
                  <span>{words.syncNow}</span>
                </button>
              </>
            )}
            <button type="button" onClick={onDisconnect}>
              {words.disconnect}
            </button>
          </div>
          <p className="hint">{words.disconnectHint}</p>
          {isShared && <KnownDevices />}
        </>
      )}
    </>
  );
}
