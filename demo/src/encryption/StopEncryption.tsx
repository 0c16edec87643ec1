import { useAgent } from 'brooklet/react';
import { type ReactElement, useEffect, useRef } from 'react';
import { useVaultAction } from '../keys/useVaultAction.ts';
import { vault } from '../keys/vault.ts';
import { exportSessions } from '../sessions/actions.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { storeEncryption } from './setting.ts';

/** Removes the passphrase after a warning: the encrypted conversations cannot be read without it. */
export function StopEncryption({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { encryption: words, storage, common } = useAllTexts();
  const agent = useAgent();
  const { error, run } = useVaultAction();
  const cancel = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    cancel.current?.focus();
  }, []);

  const stop = async (): Promise<void> => {
    if (!(await run(vault.unprotect))) return;
    storeEncryption('off');
    location.reload();
  };

  return (
    <div className="unlock">
      <p role="alert">{words.stopText}</p>
      {error && <p className="hint bad">{error.message}</p>}
      <div className="notice-verbs">
        <button ref={cancel} type="button" onClick={onClose}>
          {common.cancel}
        </button>
        <button type="button" onClick={() => void exportSessions(agent)}>
          {storage.exportAll}
        </button>
        <button type="button" className="danger" onClick={() => void stop()}>
          {words.stop}
        </button>
      </div>
    </div>
  );
}
