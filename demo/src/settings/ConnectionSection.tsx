import { type ReactElement, useRef, useState } from 'react';
import { type Connection, connect, disconnect } from '../connection.ts';
import type { Endpoint } from '../endpoint.ts';
import { UnlockForm } from '../keys/UnlockForm.tsx';
import { keyFor, needsUnlocking, useVault } from '../keys/vault.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { BrowserModel } from './BrowserModel.tsx';
import { CurrentModel } from './CurrentModel.tsx';
import { EndpointFields } from './EndpointFields.tsx';
import { Fallback } from './Fallback.tsx';
import { browserId, ProviderSelect } from './ProviderSelect.tsx';
import { choiceAt, choiceOf, choices } from './providers.ts';
import { TestResult } from './TestResult.tsx';
import { useConnectionTest } from './useConnectionTest.ts';

interface ConnectionSectionProps {
  readonly connection: Connection;
  readonly onClose: () => void;
  /** Shows the section of the keys. */
  readonly onKeys: () => void;
}

/** Chooses the model that answers, and its fallback. The key goes from its field into the vault. */
export function ConnectionSection({ connection, onClose, onKeys }: ConnectionSectionProps): ReactElement {
  const { settings: words, keys } = useAllTexts();
  const vault = useVault();
  const { test, run, refuse, clear } = useConnectionTest();
  const [form, setForm] = useState(() => startOf(connection));
  // Uncontrolled: React would write a controlled value into the DOM's attributes, and the key must not be there.
  const keyField = useRef<HTMLInputElement>(null);
  const { providerId, baseURL, model } = form;
  const isBrowser = providerId === browserId;
  const { provider } = choiceOf(providerId);
  const typedKey = (): string => (keyField.current?.value ?? '').trim();
  const isTesting = test?.is === 'running';

  const change = (next: Partial<typeof form>): void => {
    setForm({ ...form, ...next });
    clear();
  };

  const chooseProvider = (id: string): void => {
    const chosen = choiceOf(id);
    if (keyField.current) keyField.current.value = '';
    change({ providerId: id, baseURL: chosen.provider.baseURL, model: chosen.model });
  };

  const endpoint = (): Endpoint => ({
    providerId,
    baseURL: baseURL.trim(),
    model: model.trim(),
    needsKey: provider.keysURL !== undefined || typedKey() !== '' || keyFor(vault, baseURL) !== undefined,
  });

  const backToOffline = connection.kind !== 'offline' && (
    <button
      type="button"
      onClick={() => {
        disconnect();
        onClose();
      }}
    >
      {words.useOffline}
    </button>
  );

  return (
    <>
      {needsUnlocking(vault) && (
        <div className="settings-lock">
          <p className="hint">{keys.lockedConnection}</p>
          <UnlockForm />
        </div>
      )}
      <form
        className="settings"
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBrowser) connect(endpoint(), typedKey()).then(onClose, refuse);
        }}
      >
        <div className="settings-body">
          <fieldset>
            <legend className="visually-hidden">{words.model}</legend>
            <CurrentModel connection={connection} />
            <ProviderSelect value={providerId} onChange={chooseProvider} />
            {!isBrowser && (
              <EndpointFields
                form={form}
                keyField={keyField}
                connection={connection}
                onAddress={(address) => change({ baseURL: address, providerId: choiceAt(address, providerId).id })}
                onModel={(model) => change({ model })}
                onKey={clear}
                onKeys={onKeys}
                endpoint={endpoint}
                typedKey={typedKey}
              />
            )}
          </fieldset>
          {isBrowser && <BrowserModel onConnected={onClose}>{backToOffline}</BrowserModel>}
          <Fallback />
        </div>
        {!isBrowser && (
          <footer className="settings-foot">
            <TestResult test={test} advice={provider.noAnswer} />
            <div className="modal-verbs">
              {backToOffline}
              <button
                type="button"
                disabled={isTesting || baseURL.trim() === ''}
                onClick={({ currentTarget: { form } }) => {
                  if (form?.reportValidity()) void run(endpoint(), typedKey());
                }}
              >
                {isTesting ? words.testing : words.test}
              </button>
              <button type="submit" className="primary">
                {words.connect}
              </button>
            </div>
          </footer>
        )}
      </form>
    </>
  );
}

/** The fields as they are when the settings open. */
function startOf(connection: Connection): Pick<Endpoint, 'providerId' | 'baseURL' | 'model'> {
  if (connection.kind === 'browser') return { providerId: browserId, baseURL: '', model: '' };
  if ('endpoint' in connection) return connection.endpoint;
  const [first] = choices;
  return { providerId: first?.id ?? '', baseURL: first?.provider.baseURL ?? '', model: first?.model ?? '' };
}
