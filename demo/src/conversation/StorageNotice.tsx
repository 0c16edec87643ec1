import type { AgentSession, StorageStatus } from 'brooklet';
import { useObservable, useStorageStatus } from 'brooklet/react';
import type { ReactElement } from 'react';
import { storageWarning$ } from '../encryption/localStore.ts';
import { openOverlay } from '../base/overlay.ts';
import { Strip } from '../ui/Strip.tsx';
import { useTexts } from '../texts/useTexts.ts';

interface StorageNoticeProps {
  readonly session: AgentSession | undefined;
  /** Continues a damaged conversation in a copy of what can be read. */
  readonly onCopy: () => void;
}

/** Warns if the conversation on the screen is not stored, or can only be read. */
export function StorageNotice({ session, onCopy }: StorageNoticeProps): ReactElement | null {
  const { storageStrip: words } = useTexts();
  const storage = useStorageStatus(session, problemOf);
  const warning = useObservable(storageWarning$, () => storageWarning$.value);
  switch (storage?.state) {
    case undefined:
      return warning ? <Strip text={warning.message} /> : null;
    case 'memory':
      return <Strip text={words.memory} />;
    case 'failed':
      return storage.error.code === 'QUOTA_EXCEEDED' ? (
        <Strip text={words.full}>
          <button type="button" className="link" onClick={() => openOverlay({ is: 'settings', section: 'storage' })}>
            {words.toStorage}
          </button>
        </Strip>
      ) : (
        <Strip text={words.failed(storage.error.message)} />
      );
    case 'read-only':
      return storage.error.code === 'STORAGE_CORRUPT' ? (
        <Strip key="damaged" text={words.damaged}>
          <button type="button" className="link" onClick={onCopy}>
            {words.copy}
          </button>{' '}
          <a href="#/">{words.newChat}</a>
        </Strip>
      ) : (
        <Strip key="newer" text={words.newer}>
          <button type="button" className="link" onClick={() => location.reload()}>
            {words.reload}
          </button>
        </Strip>
      );
    case 'stale':
      return (
        <Strip key="stale" text={storage.error.message}>
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
