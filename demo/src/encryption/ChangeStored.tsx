import { type AgentError, toAgentError } from 'brooklet';
import type { EncryptStoredOptions } from 'brooklet/encryption';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { databaseName } from './localStore.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { GateNotice } from './GateNotice.tsx';
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
  const { common, encryption: words } = useAllTexts();
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
        <GateNotice
          title={failed}
          text={error.message}
          isError
          verb={common.retry}
          onVerb={() => {
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
