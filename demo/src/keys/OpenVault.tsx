import { useHasPasskeys } from 'brooklet/ui';
import type { VaultState } from 'brooklet/keys';
import { useObservable } from 'brooklet/react';
import type { ReactElement } from 'react';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { Icon } from '../ui/Icon.tsx';
import { autoLock, autoLockChoices, toAutoLock } from './autoLock.ts';
import { ChangePassphrase } from './ChangePassphrase.tsx';
import { AddPasskey } from './AddPasskey.tsx';
import { vault } from './vault.ts';

/** What can be done with stored keys that are unlocked. */
export function OpenVault({ locks }: Pick<VaultState, 'locks'>): ReactElement {
  const { keys: words } = useAllTexts();
  const hasPasskeys = useHasPasskeys();
  const minutes = useObservable(autoLock.value$, autoLock.get);

  return (
    <>
      <label className="stacked">
        <span>{words.autoLock}</span>
        <select value={minutes} onChange={({ target }) => autoLock.change(() => toAutoLock(target.value))}>
          {autoLockChoices.map((choice) => (
            <option key={choice} value={choice}>
              {words.after(choice)}
            </option>
          ))}
        </select>
      </label>
      <div className="notice-verbs">
        <button type="button" onClick={vault.lock}>
          <Icon name="key" />
          <span>{words.lockNow}</span>
        </button>
      </div>
      {locks.includes('passkey') ? (
        <p className="hint">{words.hasPasskey}</p>
      ) : (
        hasPasskeys && (
          <details>
            <summary>{words.addPasskey}</summary>
            <AddPasskey />
          </details>
        )
      )}
      <details>
        <summary>{words.changePassphrase}</summary>
        <ChangePassphrase />
      </details>
    </>
  );
}
