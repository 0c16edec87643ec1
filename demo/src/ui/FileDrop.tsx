import { type ReactElement, useState } from 'react';
import { Icon } from './Icon.tsx';
import '../styles/dialogs.css';

interface FileDropProps {
  readonly title: string;
  readonly hint: string;
  /** For the picker: see `<input accept>`. */
  readonly accept: string;
  readonly onFile: (file: File) => void;
}

/** A place to drop one file, or to choose one. */
export function FileDrop({ title, hint, accept, onFile }: FileDropProps): ReactElement {
  const [isOver, setIsOver] = useState(false);
  const take = (file: File | null | undefined): void => {
    if (file) onFile(file);
  };
  return (
    <label
      className={isOver ? 'file-drop over' : 'file-drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        take(event.dataTransfer.files.item(0));
      }}
    >
      {/* The field stays in reach of the keyboard and of screen readers; what is seen is ours. */}
      <input
        className="visually-hidden"
        type="file"
        accept={accept}
        onChange={(event) => take(event.target.files?.item(0))}
      />
      <span className="file-button">
        <Icon name="upload" />
        {title}
      </span>
      <span className="hint">{hint}</span>
    </label>
  );
}
