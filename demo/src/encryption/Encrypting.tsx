import { type AgentError, toAgentError } from 'brooklet';
import { encryptStored } from 'brooklet/encryption';
import { type ReactElement, useEffect, useEffectEvent, useState } from 'react';
import { databaseName } from '../agent.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { codec } from './codec.ts';
import { GateScreen } from './GateScreen.tsx';
import { storeEncryption } from './setting.ts';

/** Encrypts the conversations that were stored before. What is encrypted stays encrypted when the page is closed. */
export function Encrypting({ onDone }: { readonly onDone: () => void }): ReactElement {
  const { encryption: words, common } = useAllTexts();
  const [progress, setProgress] = useState({ done: 0, total: 0 });
  const [error, setError] = useState<AgentError>();
  const [attempt, setAttempt] = useState(1);
  const finish = useEffectEvent(() => {
    storeEncryption('on');
    onDone();
  });

  useEffect(() => {
    const { signal, abort } = abortable();
    encryptStored(codec, { name: databaseName, signal, onProgress: setProgress }).then(finish, (thrown: unknown) => {
      if (!signal.aborted) setError(toAgentError(thrown));
    });
    return abort;
  }, [attempt]);

  if (error)
    return (
      <GateScreen title={words.failed}>
        <p className="hint bad" role="alert">
          {error.message}
        </p>
        <div className="notice-verbs">
          <button
            type="button"
            className="primary"
            onClick={() => {
              setError(undefined);
              setAttempt(attempt + 1);
            }}
          >
            {common.retry}
          </button>
        </div>
      </GateScreen>
    );
  return (
    <GateScreen title={words.encryptingTitle}>
      <progress aria-label={words.encryptingTitle} max={progress.total || 1} value={progress.done} />
      <p className="hint">{words.encryptingText(progress.done, progress.total)}</p>
    </GateScreen>
  );
}

function abortable(): { readonly signal: AbortSignal; readonly abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
