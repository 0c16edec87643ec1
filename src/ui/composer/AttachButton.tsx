import { type ReactElement, useRef } from 'react';
import { Icon } from '../base/Icon.tsx';

interface AttachButtonProps {
  readonly accept: string;
  readonly label: string;
  readonly onFiles: (files: readonly File[]) => void;
}

/** Opens the browser's dialog for files. */
export function AttachButton({ accept, label, onFiles }: AttachButtonProps): ReactElement {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={picker}
        type="file"
        accept={accept}
        multiple
        hidden
        tabIndex={-1}
        aria-label={label}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          // The same file can be chosen again.
          target.value = '';
        }}
      />
      <button
        type="button"
        className="bk-round"
        data-state="quiet"
        aria-label={label}
        title={label}
        onClick={() => picker.current?.click()}
      >
        <Icon name="attach" />
      </button>
    </>
  );
}
