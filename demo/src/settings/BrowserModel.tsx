import { type AgentError, toAgentError } from 'brooklet';
import type { BuiltInAvailability } from 'brooklet/llm';
import { type ReactElement, type ReactNode, useEffect, useState } from 'react';
import type { Subscription } from 'rxjs';
import { browserModel } from '../model/browserModel.ts';
import { connectBrowserModel } from '../model/connection.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';

type State = BuiltInAvailability | { readonly loaded: number } | { readonly error: AgentError };

interface BrowserModelProps {
  readonly onConnected: () => void;
  /** Buttons for other connections. */
  readonly children: ReactNode;
}

/** Shows whether the browser's built-in model is available, downloads it, and connects the agent to it. */
export function BrowserModel({ onConnected, children }: BrowserModelProps): ReactElement {
  const { browserModel: words } = useAllTexts();
  const [state, setState] = useState<State>();
  const [download, setDownload] = useState<Subscription>();

  useEffect(() => {
    let isMounted = true;
    void browserModel.availability().then((found) => isMounted && setState(found));
    return () => {
      isMounted = false;
    };
  }, []);
  // The browser may continue the download; this page stops watching.
  useEffect(() => () => download?.unsubscribe(), [download]);

  const startDownload = (): void =>
    setDownload(
      browserModel.download().subscribe({
        next: (loaded) => setState({ loaded }),
        error: (thrown: unknown) => setState({ error: toAgentError(thrown) }),
        complete: () => setState('available'),
      }),
    );

  const isKnown = typeof state === 'string';
  const needsDownload = state === 'downloadable' || state === 'downloading';
  return (
    <>
      <output className="hint">
        {state === undefined && words.checking}
        {isKnown && words[state]}
        {state !== undefined && !isKnown && 'error' in state && <span className="bad">{state.error.message}</span>}
      </output>
      {state !== undefined && !isKnown && 'loaded' in state && (
        <label>
          <span>{Math.round(state.loaded * 100)} %</span>
          <progress aria-label={words.progress} value={state.loaded} max={1} />
        </label>
      )}
      <div className="modal-verbs">
        {children}
        {needsDownload && (
          <button type="button" onClick={startDownload}>
            {words.download}
          </button>
        )}
        <button
          type="button"
          className="primary"
          disabled={state !== 'available'}
          onClick={() => {
            connectBrowserModel();
            onConnected();
          }}
        >
          {words.use}
        </button>
      </div>
    </>
  );
}
