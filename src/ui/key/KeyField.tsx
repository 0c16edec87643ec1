import { type ReactElement, useEffect, useRef, useState } from 'react';
import type { Vault, VaultKey, VaultState } from '../../keys/index.ts';
import type { Provider } from '../../llm/providers/index.ts';
import { useObservable } from '../../react/index.ts';
import { part } from '../base/part.ts';
import { messageOf } from '../base/messageOf.ts';
import { useFocusAfter } from '../base/useFocusAfter.ts';
import { useFocusKeeper } from '../base/useFocusKeeper.ts';
import { useListLabels } from '../labels/LabelsContext.ts';
import { keyEnglish, type KeyLabels } from '../labels/key-english.ts';
import { KeyForm } from './KeyForm.tsx';
import { MaskedKey } from './MaskedKey.tsx';
import type { KeyFieldProps, ReadyKey } from './props.ts';
import { originOf, releaseTo } from './typedKey.ts';
import { UnlockForm } from './UnlockForm.tsx';

const noVault: VaultState = { status: 'memory', keys: [], locks: [] };

/**
 * Takes the API key of a service, keeps it in this tab or encrypted on this device, tests it if asked, and shows afterwards that there is one.
 * The key is never shown, and is in the page only while it is typed, in a field of type `password`.
 *
 *     <KeyField provider={openai} vault={vault} test onReady={({ provider, apiKey }) => setClient(createProviderClient(provider, { apiKey, model }))} />
 */
export function KeyField(props: KeyFieldProps): ReactElement | null {
  const { provider, onProvider, baseURL, labels, className } = props;
  const words = useListLabels('key', keyEnglish, labels);
  const providers = 'createClient' in provider ? [provider] : provider;
  const [index, setIndex] = useState(0);
  const root = useRef<HTMLDivElement>(null);
  useFocusKeeper(root, root);
  useFocusAfter(root);
  const chosen = providers[index] ?? providers[0];
  if (!chosen) return null;
  const address = baseURL ?? chosen.baseURL;
  const origin = originOf(address);
  return (
    <div {...part('key-field', className)} ref={root} role="group" aria-label={words.label} tabIndex={-1}>
      {providers.length > 1 && (
        <label className="bk-key-row">
          <span>{words.provider}</span>
          <select
            value={providers.indexOf(chosen)}
            onChange={({ target }) => {
              const next = providers[Number(target.value)];
              setIndex(Number(target.value));
              if (next) onProvider?.(next);
            }}
          >
            {providers.map(({ name }, at) => (
              <option key={`${at} ${name}`} value={at}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {origin === undefined ? (
        <p className="bk-bad" role="alert">
          {words.problems.address}
        </p>
      ) : (
        <KeyOf
          {...props}
          key={`${providers.indexOf(chosen)} ${address}`}
          provider={chosen}
          baseURL={address}
          origin={origin}
          words={words}
        />
      )}
    </div>
  );
}

interface KeyOfProps extends Omit<KeyFieldProps, 'provider' | 'baseURL'> {
  readonly provider: Provider;
  readonly baseURL: string;
  readonly origin: string;
  readonly words: KeyLabels;
}

/** The key for one address: a form, the locked vault, or that there is a key. */
function KeyOf(props: KeyOfProps): ReactElement {
  const {
    provider,
    baseURL,
    origin,
    onReady,
    onUse,
    onForget,
    vault,
    ready,
    keyId = origin,
    renderFields,
    words,
  } = props;
  const state = useObservable(vault?.state$, () => vault?.getState() ?? noVault);
  const { status, keys, locks } = state;
  const [own, setOwn] = useState<ReadyKey | undefined>(
    ready?.baseURL === baseURL && (ready.keep === 'tab' || !vault) ? ready : undefined,
  );
  const [isEntering, setIsEntering] = useState(false);
  const [isTabOnly, setIsTabOnly] = useState(false);
  const [note, setNote] = useState<string>();

  const fromVault = (from: Vault, { lastFour = '' }: Pick<VaultKey, 'lastFour'> = {}): ReadyKey => ({
    provider,
    baseURL,
    keep: from.getState().status === 'open' ? 'device' : 'tab',
    apiKey: from.keyFor(keyId),
    lastFour,
  });
  const stored = keys.find((key) => key.id === keyId && key.origin === origin);
  const usable = status === 'memory' || status === 'open' ? stored : undefined;
  const keep = status === 'open' ? 'device' : 'tab';
  const lastFour = usable?.lastFour ?? '';
  /** Stands for the key that the vault has for this address, where it is usable. */
  const tag = usable && vault && !own ? `${usable.addedAt} ${keep}` : undefined;
  const reported = useRef<string>(undefined);
  useEffect(() => {
    if (tag === undefined || !vault || reported.current === tag) return;
    reported.current = tag;
    onReady({ provider, baseURL, keep, apiKey: vault.keyFor(keyId), lastFour });
  }, [tag, vault, onReady, provider, baseURL, keep, keyId, lastFour]);

  if (status === 'opening') return <p className="bk-hint">{words.opening}</p>;
  const isLocked = status === 'locked' || (status === 'memory' && locks.length > 0 && !usable);
  if (vault && isLocked && !own && !isTabOnly)
    return <UnlockForm vault={vault} locks={locks} onTabOnly={() => setIsTabOnly(true)} words={words} />;

  const shown = own ?? (vault && usable && fromVault(vault, usable));
  if (shown && !isEntering)
    return (
      <>
        <MaskedKey
          {...props}
          shown={shown}
          fields={renderFields?.(shown.apiKey ?? releaseTo(origin, ''))}
          onUse={onUse && ((isTested) => onUse(shown, { isTested }))}
          onChange={() => setIsEntering(true)}
          onForget={() => {
            setNote(undefined);
            setOwn(undefined);
            reported.current = undefined;
            if (own) onForget?.(provider);
            else
              vault?.remove(keyId).then(
                () => onForget?.(provider),
                (thrown: unknown) => setNote(messageOf(thrown)),
              );
          }}
          words={words}
        />
        {note !== undefined && (
          <p className="bk-bad" role="alert">
            {note}
          </p>
        )}
      </>
    );
  return (
    <KeyForm
      {...props}
      // While the stored keys are locked, no other key can be stored.
      vault={isLocked ? undefined : vault}
      keyId={keyId}
      state={state}
      onSaved={({ own: saved, withoutPasskey, isTested }) => {
        setIsEntering(false);
        setIsTabOnly(false);
        setOwn(saved);
        setNote(withoutPasskey && words.problems.passkeyNotAdded);
        if (saved) onReady(saved);
        const used =
          saved ??
          (vault &&
            fromVault(
              vault,
              vault.getState().keys.find(({ id }) => id === keyId),
            ));
        if (used) onUse?.(used, { isTested });
      }}
      onCancel={isEntering || isTabOnly ? () => (isEntering ? setIsEntering(false) : setIsTabOnly(false)) : undefined}
      words={words}
    />
  );
}
