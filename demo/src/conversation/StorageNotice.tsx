import type { StorageStatus } from 'brooklet';
import { useObservable } from 'brooklet/react';
import type { ReactElement } from 'react';
import { storageTrouble$ } from '../agent.ts';
import { Icon } from '../ui/Icon.tsx';

/** Says so when what is on screen is not kept. */
export function StorageNotice({ storage }: { readonly storage: StorageStatus | undefined }): ReactElement | null {
  const trouble = useObservable(storageTrouble$, () => storageTrouble$.value);
  switch (storage?.state) {
    case undefined:
    case 'saved':
    case 'saving':
      return trouble ? <Strip text={trouble.message} /> : null;
    case 'memory':
      return <Strip text="Not saved: this conversation lives only as long as this tab." />;
    case 'failed':
      return (
        <Strip
          text={`Not saved: ${storage.error.message} The conversation goes on here, and is saved as soon as that works again.`}
        />
      );
    case 'read-only':
      return <Strip text={storage.error.message} />;
    case 'stale':
      return (
        <Strip text={storage.error.message}>
          <button type="button" className="link" onClick={() => location.reload()}>
            Reload
          </button>
        </Strip>
      );
  }
}

function Strip({ text, children }: { readonly text: string; readonly children?: ReactElement }): ReactElement {
  return (
    <output className="strip">
      <Icon name="alert" />
      <span>
        {text} {children}
      </span>
    </output>
  );
}
