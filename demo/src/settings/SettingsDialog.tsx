import { toAgentError } from 'brooklet';
import { type ReactElement, useRef, useState } from 'react';
import { type Connection, connect, createClient, disconnect, type Endpoint, hasKeyFor } from '../connection.ts';
import { Icon } from '../ui/Icon.tsx';
import { Modal } from '../ui/Modal.tsx';
import { Appearance } from './Appearance.tsx';
import { ApprovalRules } from './ApprovalRules.tsx';
import { BrowserModel } from './BrowserModel.tsx';
import { CurrentModel } from './CurrentModel.tsx';
import { custom, providerOf, providers } from './providers.ts';
import { Fallback } from './Fallback.tsx';
import { testConnection } from './testConnection.ts';
import { type Test, TestResult } from './TestResult.tsx';

interface SettingsDialogProps {
  readonly connection: Connection;
  /** The conversation that is shown. */
  readonly sessionId: string | undefined;
  readonly onClose: () => void;
}

/** The model, the fallback, the approval rules, and the theme. The key is read from its field, and kept in memory only. */
export function SettingsDialog({ connection, sessionId, onClose }: SettingsDialogProps): ReactElement {
  const start = 'endpoint' in connection ? connection.endpoint : undefined;
  const [providerId, setProviderId] = useState(() =>
    connection.kind === 'browser' ? browserId : start ? providerOf(start.baseURL).id : 'openai',
  );
  const isBrowser = providerId === browserId;
  const provider = providers.find(({ id }) => id === providerId) ?? custom;
  const [baseURL, setBaseURL] = useState(start?.baseURL ?? provider.baseURL);
  const [model, setModel] = useState(start?.model ?? provider.model);
  const [test, setTest] = useState<Test>();
  const latestTest = useRef(0);
  // Uncontrolled: React would write a controlled value into the DOM's attributes, and the key must not be there.
  const keyField = useRef<HTMLInputElement>(null);

  const hasKey = hasKeyFor(baseURL);
  const needsKey = provider.needsKey || (start?.baseURL === baseURL && start.needsKey);
  const keyEnd = connection.kind === 'model' && hasKey ? connection.keyEnd : undefined;
  const typedKey = (): string => (keyField.current?.value ?? '').trim();
  const endpoint = (): Endpoint => ({
    baseURL: baseURL.trim(),
    model: model.trim(),
    needsKey: provider.needsKey || typedKey() !== '' || hasKey,
  });

  const clearTest = (): void => {
    latestTest.current += 1;
    setTest(undefined);
  };

  const chooseProvider = (id: string): void => {
    const chosen = providers.find((provider) => provider.id === id);
    setProviderId(id);
    if (chosen !== undefined && chosen !== custom) {
      setBaseURL(chosen.baseURL);
      setModel(chosen.model);
      if (keyField.current) keyField.current.value = '';
    }
    clearTest();
  };

  const runTest = async (): Promise<void> => {
    const number = (latestTest.current += 1);
    setTest({ is: 'running' });
    let result: Test;
    try {
      const tested = endpoint();
      result = { is: 'done', verdict: await testConnection(createClient(tested, typedKey()), tested.baseURL) };
    } catch (thrown) {
      result = { is: 'invalid', error: toAgentError(thrown) };
    }
    if (latestTest.current === number) setTest(result);
  };

  const save = (): void => {
    try {
      connect(endpoint(), typedKey());
      onClose();
    } catch (thrown) {
      setTest({ is: 'invalid', error: toAgentError(thrown) });
    }
  };

  const backToOffline = connection.kind !== 'offline' && (
    <button
      type="button"
      onClick={() => {
        disconnect();
        onClose();
      }}
    >
      Use the offline demo
    </button>
  );

  return (
    <Modal title="Settings" onClose={onClose}>
      <button type="button" className="quiet small modal-close" aria-label="Close settings" onClick={onClose}>
        <Icon name="close" />
      </button>
      <form
        className="settings"
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBrowser) save();
        }}
      >
        <fieldset>
          <legend>Model</legend>
          <CurrentModel connection={connection} />
          <label>
            <span>Provider</span>
            <select value={providerId} onChange={(event) => chooseProvider(event.target.value)}>
              {providers.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
              <option value={browserId}>This browser’s built-in model</option>
            </select>
          </label>
          {isBrowser ? (
            <BrowserModel onConnected={onClose}>{backToOffline}</BrowserModel>
          ) : (
            <>
              {provider.hint && <p className="hint">{provider.hint}</p>}
              <label>
                <span>Base URL</span>
                <input
                  type="url"
                  required
                  spellCheck={false}
                  placeholder="https://…/v1"
                  value={baseURL}
                  onChange={(event) => {
                    setBaseURL(event.target.value);
                    setProviderId(providerOf(event.target.value).id);
                    clearTest();
                  }}
                />
              </label>
              <label>
                <span>Model</span>
                <input
                  type="text"
                  required
                  spellCheck={false}
                  autoCapitalize="off"
                  value={model}
                  onChange={(event) => {
                    setModel(event.target.value);
                    clearTest();
                  }}
                />
              </label>
              <label>
                <span>API key</span>
                <input
                  ref={keyField}
                  type="password"
                  autoComplete="off"
                  required={needsKey && !hasKey}
                  data-1p-ignore=""
                  data-lpignore="true"
                  spellCheck={false}
                  placeholder={keyPlaceholder(hasKey, keyEnd, needsKey)}
                  onChange={clearTest}
                />
              </label>
              <p className="hint">
                <Icon name="key" />
                The key stays in the memory of this tab and is sent to this address only. It is never stored: a reload
                clears it. It is only as safe as this page and your browser’s extensions.
              </p>
              <TestResult test={test} />
              <div className="modal-verbs">
                {backToOffline}
                <button
                  type="button"
                  disabled={test?.is === 'running' || baseURL.trim() === ''}
                  onClick={() => void runTest()}
                >
                  {test?.is === 'running' ? 'Testing…' : 'Test connection'}
                </button>
                <button type="submit" className="primary">
                  Connect
                </button>
              </div>
            </>
          )}
        </fieldset>
        <Fallback />
        <ApprovalRules sessionId={sessionId} />
        <Appearance />
      </form>
    </Modal>
  );
}

/** Used in place of a provider's id. */
const browserId = 'browser';

function keyPlaceholder(hasKey: boolean, keyEnd: string | undefined, needsKey: boolean): string {
  if (hasKey) return keyEnd === undefined ? 'In memory' : `In memory, ends in ${keyEnd}`;
  return needsKey ? 'Paste your key' : 'Usually not needed';
}
