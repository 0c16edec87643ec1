import { type AgentError, toAgentError } from 'brooklet';
import type { EncryptStoredOptions } from 'brooklet/encryption';
import { type ReactElement, type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { databaseName } from '../agent.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { GateScreen } from './GateScreen.tsx';

interface ChangeStoredProps {
  readonly title: string;
  /** Of the screen that shows why the work failed. */
  readonly failed: string;
  /** Called once more for each attempt. Invariant: what is done when the page is closed stays done. */
  readonly work: (options: EncryptStoredOptions) => Promise<unknown>;
  readonly onDone: () => void;
  /** Returns what is shown in the place of an error, or `undefined`. */
  readonly renderError?: (error: AgentError) => ReactNode;
}

/** Shows the progress of a work on all stored conversations, and its failure. */
export function ChangeStored({ title, failed, work, onDone, renderError }: ChangeStoredProps): ReactNode {
  const { encryption: words } = useAllTexts();
  const [progress, setProgress] = useState({ done: 0, total: 0 });
  const [error, setError] = useState<AgentError>();
  const [attempt, setAttempt] = useState(1);
  const start = useEffectEvent((signal: AbortSignal) => {
    work({ name: databaseName, signal, onProgress: setProgress }).then(onDone, (thrown: unknown) => {
      if (!signal.aborted) setError(toAgentError(thrown));
    });
  });

  useEffect(() => {
    const ending = new AbortController();
    start(ending.signal);
    return () => ending.abort();
  }, [attempt]);

  if (error)
    return (
      renderError?.(error) ?? (
        <Failure
          title={failed}
          error={error}
          onRetry={() => {
            setError(undefined);
            setAttempt(attempt + 1);
          }}
        />
      )
    );
  return (
    <GateScreen title={title}>
      <progress aria-label={title} max={progress.total || 1} value={progress.done} />
      <p className="hint">{words.progressText(progress.done, progress.total)}</p>
    </GateScreen>
  );
}

interface FailureProps {
  readonly title: string;
  readonly error: AgentError;
  readonly onRetry: () => void;
}

function Failure({ title, error, onRetry }: FailureProps): ReactElement {
  const { common } = useAllTexts();
  return (
    <GateScreen title={title}>
      <p className="hint bad" role="alert">
        {error.message}
      </p>
      <div className="notice-verbs">
        <button type="button" className="primary" onClick={onRetry}>
          {common.retry}
        </button>
      </div>
    </GateScreen>
  );
}
