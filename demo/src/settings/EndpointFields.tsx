import type { ReactElement, RefObject } from 'react';
import type { VaultKey, VaultState } from 'brooklet/keys';
import type { Connection } from '../connection.ts';
import type { Endpoint } from '../endpoint.ts';
import { keyFor, useVault } from '../keys/vault.ts';
import type { AllTexts } from '../texts/en/rooms.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { Icon } from '../ui/Icon.tsx';
import { ModelField } from './ModelField.tsx';
import { choiceOf } from './providers.ts';

interface EndpointFieldsProps {
  readonly form: Pick<Endpoint, 'providerId' | 'baseURL' | 'model'>;
  readonly keyField: RefObject<HTMLInputElement | null>;
  readonly connection: Connection;
  readonly onAddress: (baseURL: string) => void;
  readonly onModel: (model: string) => void;
  /** Called when the key changes; the key itself stays in its field. */
  readonly onKey: () => void;
  readonly onKeys: () => void;
  readonly endpoint: () => Endpoint;
  readonly typedKey: () => string;
}

/** The address, the key and the model of an endpoint. */
export function EndpointFields(props: EndpointFieldsProps): ReactElement {
  const { form, keyField, connection, onAddress, onModel, onKey, onKeys, endpoint, typedKey } = props;
  const { settings: words } = useAllTexts();
  const { provider } = choiceOf(form.providerId);
  const vault = useVault();
  const key = keyFor(vault, form.baseURL);
  const needsKey = provider.keysURL !== undefined || needsKeyBefore(connection, form.baseURL);
  return (
    <>
      {provider.pages === 'refused' && <p className="hint warning">{words.refusesPages}</p>}
      <label>
        <span>{words.baseURL}</span>
        <input
          type="url"
          required
          spellCheck={false}
          placeholder="https://…/v1"
          value={form.baseURL}
          onChange={(event) => onAddress(event.target.value)}
        />
      </label>
      <label>
        <span>{words.apiKey}</span>
        <input
          ref={keyField}
          type="password"
          autoComplete="off"
          required={needsKey && !key}
          data-1p-ignore=""
          data-lpignore="true"
          spellCheck={false}
          placeholder={keyPlaceholder(words, { key, status: vault.status, needsKey })}
          onChange={onKey}
        />
      </label>
      {provider.keysURL !== undefined && (
        <p className="hint beside">
          <a href={provider.keysURL} target="_blank" rel="noreferrer noopener">
            {words.getKey(provider.name)}
          </a>
        </p>
      )}
      <ModelField
        value={form.model}
        known={Object.keys(provider.models ?? {})}
        onChange={onModel}
        endpoint={endpoint}
        typedKey={typedKey}
      />
      <p className="hint">
        <Icon name="key" />
        <span>
          {vault.status === 'memory' ? words.keyNote : words.keyNoteStored}{' '}
          <button type="button" className="link" onClick={onKeys}>
            {words.manageKeys}
          </button>
        </span>
      </p>
    </>
  );
}

function needsKeyBefore(connection: Connection, baseURL: string): boolean {
  return 'endpoint' in connection && connection.endpoint.baseURL === baseURL && connection.endpoint.needsKey;
}

interface KeyKnown {
  readonly key: VaultKey | undefined;
  readonly status: VaultState['status'];
  readonly needsKey: boolean;
}

function keyPlaceholder(words: AllTexts['settings'], { key, status, needsKey }: KeyKnown): string {
  if (!key) return needsKey ? words.pasteKey : words.keyOptional;
  if (status === 'locked') return words.keyIsLocked;
  const { lastFour = '' } = key;
  if (status === 'open') return words.keyStored(lastFour);
  return lastFour === '' ? words.keyInMemory : words.keyEndsIn(lastFour);
}
