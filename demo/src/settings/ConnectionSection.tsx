import { KeyField, type ReadyKey } from 'brooklet/ui';
import { type ReactElement, useState } from 'react';
import { type Connection, connect, disconnect, forgetKey, ownKeyOf } from '../model/connection.ts';
import type { Endpoint } from '../model/endpoint.ts';
import { keyFor, useVault, vault } from '../keys/vault.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { reportRefusal } from '../toast/reportRefusal.ts';
import { BrowserModel } from './BrowserModel.tsx';
import { CurrentModel } from './CurrentModel.tsx';
import { EndpointModel } from './EndpointModel.tsx';
import { Fallback } from './Fallback.tsx';
import { browserId, ProviderSelect } from './ProviderSelect.tsx';
import { choiceAt, choiceOf, choices } from '../model/providers.ts';
import { noteModel } from './recentModels.ts';

interface ConnectionSectionProps {
  readonly connection: Connection;
  readonly onClose: () => void;
  /** Shows the section of the keys. */
  readonly onKeys: () => void;
}

type Form = Pick<Endpoint, 'providerId' | 'baseURL' | 'model'>;

/** Chooses the model that answers, and its fallback. A service is tested before it is chosen. */
export function ConnectionSection({ connection, onClose, onKeys }: ConnectionSectionProps): ReactElement {
  const { settings: words } = useAllTexts();
  const [form, setForm] = useState<Form>(() => startOf(connection));
  const change = (next: Partial<Form>): void => setForm({ ...form, ...next });
  const isBrowser = form.providerId === browserId;
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
    <div className="settings settings-body">
      <CurrentModel connection={connection} />
      <fieldset>
        <legend className="visually-hidden">{words.model}</legend>
        <ProviderSelect
          value={form.providerId}
          onChange={(id) => {
            const { provider, model } = choiceOf(id);
            change({ providerId: id, baseURL: provider.baseURL, model });
          }}
        />
        {!isBrowser && <Service form={form} onChange={change} onClose={onClose} />}
      </fieldset>
      {isBrowser && <BrowserModel onConnected={onClose}>{backToOffline}</BrowserModel>}
      <div className="buttons">
        {!isBrowser && backToOffline}
        <button type="button" className="link" onClick={onKeys}>
          {words.manageKeys}
        </button>
      </div>
      <Fallback />
    </div>
  );
}

interface ServiceProps {
  readonly form: Form;
  readonly onChange: (next: Partial<Form>) => void;
  readonly onClose: () => void;
}

/** The address, the model and the key of a service. */
function Service({ form, onChange, onClose }: ServiceProps): ReactElement {
  const { settings: words, common } = useAllTexts();
  const state = useVault();
  const { providerId, model } = form;
  const baseURL = form.baseURL.trim();
  const { provider } = choiceOf(providerId);
  const [isMissing, setIsMissing] = useState(false);

  const use = (key: ReadyKey, isTested: boolean): void => {
    if (model === '') {
      setIsMissing(true);
      return;
    }
    // A key that the vault has not got: it stores what it has, and this one stays in the tab.
    const isOwn =
      key.apiKey !== undefined && key.keep === 'tab' && (state.locks.length > 0 || !keyFor(vault.getState(), baseURL));
    const endpoint = { providerId, baseURL, model, needsKey: key.apiKey !== undefined };
    noteModel(baseURL, model);
    connect(endpoint, { own: isOwn ? key : undefined, isTested }).then(onClose, reportRefusal);
  };

  return (
    <>
      <label>
        <span>{words.baseURL}</span>
        <input
          type="url"
          dir="ltr"
          spellCheck={false}
          placeholder="https://…/v1"
          value={form.baseURL}
          onChange={({ target: { value } }) => onChange({ baseURL: value, providerId: choiceAt(value, providerId).id })}
        />
      </label>
      {isAddress(baseURL) ? (
        <KeyField
          provider={provider}
          baseURL={baseURL}
          vault={vault}
          ready={ownKeyOf(baseURL)}
          test={model === '' ? true : model}
          userName={common.app}
          onReady={nothing}
          onUse={(key, { isTested }) => use(key, isTested)}
          onForget={() => forgetKey(baseURL)}
          renderFields={(apiKey) => (
            <div className="row-field">
              <span>{words.modelName}</span>
              <span>
                <EndpointModel
                  endpoint={{ providerId, baseURL, needsKey: true }}
                  apiKey={apiKey}
                  value={model}
                  onChange={(chosen) => {
                    setIsMissing(false);
                    onChange({ model: chosen });
                  }}
                />
              </span>
              {isMissing && (
                <p className="hint bad" role="alert">
                  {words.modelMissing}
                </p>
              )}
            </div>
          )}
          labels={{
            label: words.service,
            field: () => words.apiKey,
            use: words.connect,
            testAndUse: words.connect,
            useAnyway: words.connectAnyway,
          }}
        />
      ) : (
        <p className="hint">{baseURL === '' ? words.addressMissing : words.addressInvalid}</p>
      )}
    </>
  );
}

const nothing = (): void => {};

function isAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/u.test(new URL(text).protocol);
}

/** The fields as they are when the settings open. */
function startOf(connection: Connection): Form {
  if (connection.kind === 'browser') return { providerId: browserId, baseURL: '', model: '' };
  if ('endpoint' in connection) return connection.endpoint;
  const [first] = choices;
  return { providerId: first?.id ?? '', baseURL: first?.provider.baseURL ?? '', model: first?.model ?? '' };
}
