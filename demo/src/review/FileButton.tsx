import { type ReactElement, useRef } from 'react';
import { Icon } from '../ui/Icon.tsx';

interface FileButtonProps {
  readonly label: string;
  readonly onFile: (file: File) => void;
  readonly isPrimary?: boolean;
  /** Endings of file names, as of `input`. */
  readonly accept?: string;
}

/** A button that opens the browser's choice of a file. */
export function FileButton({
  label,
  onFile,
  isPrimary = false,
  accept = '.jsonl,.json,application/jsonl,text/plain',
}: FileButtonProps): ReactElement {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" className={isPrimary ? 'primary' : undefined} onClick={() => input.current?.click()}>
        <Icon name="file" />
        {label}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        aria-label={label}
        onChange={({ target }) => {
          const file = target.files?.item(0);
          if (file) onFile(file);
          // The same file may be chosen again after it has changed.
          target.value = '';
        }}
      />
    </>
  );
}
