import { type ReactElement, useState } from 'react';
import { type OpenedFile, readFile } from './readFile.ts';

/** A place to drop an exported file, or to choose one. */
export function OpenFile({ onOpen }: { readonly onOpen: (file: OpenedFile) => void }): ReactElement {
  const [problem, setProblem] = useState<string>();
  const [isOver, setIsOver] = useState(false);

  const open = (file: File | null | undefined): void => {
    if (!file) return;
    setProblem(undefined);
    readFile(file).then(onOpen, (thrown: unknown) =>
      setProblem(thrown instanceof Error ? thrown.message : 'Unreadable.'),
    );
  };

  return (
    <>
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
          open(event.dataTransfer.files.item(0));
        }}
      >
        <strong>Open an exported session</strong>
        <span className="hint">
          Drop a .jsonl file here, or choose one. It stays in this tab and nothing in it runs.
        </span>
        <input
          type="file"
          accept=".jsonl,.json,application/jsonl,text/plain"
          onChange={(event) => open(event.target.files?.item(0))}
        />
      </label>
      {problem !== undefined && (
        <p className="bad" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}
