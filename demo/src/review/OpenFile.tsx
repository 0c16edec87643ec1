import { type ReactElement, useState } from 'react';
import { FileButton } from './FileButton.tsx';
import { type OpenedFile, readFile } from './readFile.ts';

/** A place to drop an exported file, and a button to choose one. */
export function OpenFile({ onOpen }: { readonly onOpen: (file: OpenedFile) => void }): ReactElement {
  const [problem, setProblem] = useState<string>();
  const [isOver, setIsOver] = useState(false);
  const [isReading, setIsReading] = useState(false);

  const open = (file: File | null): void => {
    if (!file) return;
    setProblem(undefined);
    setIsReading(true);
    readFile(file)
      .then(onOpen, (thrown: unknown) => setProblem(thrown instanceof Error ? thrown.message : 'Unreadable.'))
      .finally(() => setIsReading(false));
  };

  return (
    <>
      <div
        className={isOver ? 'file-drop over' : 'file-drop'}
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setIsOver(false);
          open(event.dataTransfer.files.item(0));
        }}
      >
        <strong>Open an exported session</strong>
        <span className="hint">
          Drop a .jsonl file here, or choose one. It stays in this tab, nothing is sent, and nothing in it runs.
        </span>
        <FileButton label={isReading ? 'Reading…' : 'Choose a file'} isPrimary onFile={open} />
      </div>
      {problem !== undefined && (
        <p className="bad" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}
