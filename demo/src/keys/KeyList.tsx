import type { VaultState } from 'brooklet/keys';
import type { ReactElement } from 'react';
import { engineKeyId } from '../base/engine.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { Icon } from '../ui/Icon.tsx';
import { useVaultAction } from './useVaultAction.ts';
import { vault } from './vault.ts';

/** The keys that the vault has, by their host and their last four characters. */
export function KeyList({ state: { status, keys } }: { readonly state: VaultState }): ReactElement {
  const { keys: words, devices } = useAllTexts();
  const { error, run } = useVaultAction();
  return (
    <>
      <h3>{words.list}</h3>
      {keys.length === 0 && status !== 'opening' && <p className="hint">{words.none}</p>}
      <ul className="rules" aria-label={words.list}>
        {keys.map(({ id, origin, lastFour }) => {
          const { host } = new URL(origin);
          return (
            <li key={id}>
              <span>
                <Icon name="key" />
              </span>
              <span className="rule-text">
                {host}
                <small>
                  {status === 'locked'
                    ? words.locked
                    : id === engineKeyId
                      ? devices.keyName
                      : lastFour === undefined
                        ? words.present
                        : words.endsIn(lastFour)}
                </small>
              </span>
              {status !== 'locked' && (
                <button
                  type="button"
                  aria-label={words.removeKey(host)}
                  onClick={() => void run(() => vault.remove(id))}
                >
                  {words.remove}
                </button>
              )}
            </li>
          );
        })}
      </ul>
      {error && (
        <p className="hint bad" role="alert">
          {error.message}
        </p>
      )}
    </>
  );
}
