import { createReview } from 'brooklet/review';
import { type ReactElement, useState } from 'react';
import { FileButton } from './FileButton.tsx';
import { type OpenedFile, readFile } from './readFile.ts';

/** A place to drop an exported file, and a button to choose one. */
export function OpenFile({ onOpen }: { readonly onOpen: (file: OpenedFile) => void }): ReactElement {
  const [problem, setProblem] = useState<string>();
  const [isOver, setIsOver] = useState(false);
  const [isReading, setIsReading] = useState(false);
  /** The sessions of a file that has several. */
  const [choices, setChoices] = useState<readonly OpenedFile[]>([]);

  const open = (file: File | null): void => {
    if (!file) return;
    setProblem(undefined);
    setChoices([]);
    setIsReading(true);
    readFile(file)
      .then(({ others = [], ...first }) => (others.length === 0 ? onOpen(first) : setChoices([first, ...others])))
      .catch((thrown: unknown) => setProblem(thrown instanceof Error ? thrown.message : 'Unreadable.'))
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
      {choices.length > 0 && (
        <section className="file-sessions" aria-label="Sessions of the file">
          <p>This file has {choices.length} sessions:</p>
          <ul>
            {choices.map((choice, index) => (
              <li key={index}>
                <button type="button" className="wide" onClick={() => onOpen(choice)}>
                  {titleOf(choice)}
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {problem !== undefined && (
        <p className="bad" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}

function titleOf({ events }: OpenedFile): string {
  return createReview(events).stateAt(Infinity).title || 'Untitled';
}
