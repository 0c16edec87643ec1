import type { AgentSession, StorageStatus } from 'brooklet';
import { useObservable, useStorageStatus } from 'brooklet/react';
import type { ReactElement } from 'react';
import { storageWarning$ } from '../agent.ts';
import { Strip } from '../ui/Strip.tsx';
import { useTexts } from '../texts/useTexts.ts';

/** Warns if the conversation on the screen is not stored. */
export function StorageNotice({ session }: { readonly session: AgentSession | undefined }): ReactElement | null {
  const { storageStrip: words } = useTexts();
  const storage = useStorageStatus(session, problemOf);
  const warning = useObservable(storageWarning$, () => storageWarning$.value);
  switch (storage?.state) {
    case undefined:
      return warning ? <Strip text={warning.message} /> : null;
    case 'memory':
      return <Strip text={words.memory} />;
    case 'failed':
      return <Strip text={words.failed(storage.error.message)} />;
    case 'read-only':
      return <Strip text={storage.error.message} />;
    case 'stale':
      return (
        <Strip text={storage.error.message}>
          <button type="button" className="link" onClick={() => location.reload()}>
            {words.reload}
          </button>
        </Strip>
      );
  }
}

/** A status of which the user has to know. */
type StorageProblem = Exclude<StorageStatus, { readonly state: 'saved' | 'saving' }>;

function problemOf(status: StorageStatus): StorageProblem | undefined {
  return status.state === 'saved' || status.state === 'saving' ? undefined : status;
}
