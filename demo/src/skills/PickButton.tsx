import { type ReactElement, useRef } from 'react';
import { Icon } from '../ui/Icon.tsx';
import { RoomIcon } from '../ui/RoomIcon.tsx';

interface PickButtonProps {
  readonly label: string;
  /** For the picker: see `<input accept>`. */
  readonly accept?: string;
  /** Whether the user picks a folder: its files are those of all folders below, too. */
  readonly isFolder?: boolean;
  /** Called with at least one file. */
  readonly onFiles: (files: readonly File[]) => void;
}

/** A button that lets the user pick a file or a folder. */
export function PickButton({ label, accept, isFolder = false, onFiles }: PickButtonProps): ReactElement {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={(element) => {
          picker.current = element;
          // React knows no such property.
          if (isFolder) element?.setAttribute('webkitdirectory', '');
        }}
        type="file"
        hidden
        tabIndex={-1}
        aria-label={label}
        accept={accept}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          // The same file can be picked again.
          target.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
      <button type="button" onClick={() => picker.current?.click()}>
        {isFolder ? <RoomIcon name="folder" /> : <Icon name="upload" />}
        <span>{label}</span>
      </button>
    </>
  );
}
