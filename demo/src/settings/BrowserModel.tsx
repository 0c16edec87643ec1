import { type AgentError, toAgentError } from 'brooklet';
import type { BuiltInAvailability } from 'brooklet/llm';
import { type ReactElement, type ReactNode, useEffect, useState } from 'react';
import type { Subscription } from 'rxjs';
import { browserModel, connectBrowserModel } from '../connection.ts';

type State = BuiltInAvailability | { readonly loaded: number } | { readonly error: AgentError };

const words: Readonly<Record<BuiltInAvailability, string>> = {
  missing: 'This browser has no model of its own. Chrome and Edge have one, on desktops.',
  unavailable: 'This browser has a model, but it cannot run on this device.',
  downloadable: 'This browser’s model has to be downloaded first: some gigabytes, once for all sites.',
  downloading: 'This browser is downloading its model.',
  available: 'This browser’s model is ready. It needs no key, and nothing leaves this device.',
};

interface BrowserModelProps {
  readonly onConnected: () => void;
  /** Buttons for other ways. */
  readonly children: ReactNode;
}

/** The browser's own model: whether it is there, how it gets there, and how it becomes the one that answers. */
export function BrowserModel({ onConnected, children }: BrowserModelProps): ReactElement {
  const [state, setState] = useState<State>();
  const [download, setDownload] = useState<Subscription>();

  useEffect(() => {
    let isHere = true;
    void browserModel.availability().then((found) => isHere && setState(found));
    return () => {
      isHere = false;
    };
  }, []);
  // The browser may go on; nobody looks any more.
  useEffect(() => () => download?.unsubscribe(), [download]);

  const fetchModel = (): void =>
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
        {state === undefined && 'Asking this browser…'}
        {isKnown && words[state]}
        {state !== undefined && !isKnown && 'error' in state && <span className="bad">{state.error.message}</span>}
      </output>
      {state !== undefined && !isKnown && 'loaded' in state && (
        <label>
          <span>{Math.round(state.loaded * 100)} %</span>
          <progress aria-label="Download of the model" value={state.loaded} max={1} />
        </label>
      )}
      <div className="modal-verbs">
        {children}
        {needsDownload && (
          <button type="button" onClick={fetchModel}>
            Download the model
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
          Use this browser’s model
        </button>
      </div>
    </>
  );
}
