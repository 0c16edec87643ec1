import { createReview } from 'brooklet/review';
import { type ReactElement, useState } from 'react';
import { useReviewTexts } from '../texts/reviewTexts.ts';
import { FileButton } from './FileButton.tsx';
import { type OpenedFile, readFile } from './readFile.ts';

/** A place to drop an exported file, and a button to choose one. */
export function OpenFile({ onOpen }: { readonly onOpen: (file: OpenedFile) => void }): ReactElement {
  const texts = useReviewTexts();
  const { open: words } = texts;
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
    readFile(file, words)
      .then(({ others = [], ...first }) => (others.length === 0 ? onOpen(first) : setChoices([first, ...others])))
      .catch((thrown: unknown) => setProblem(thrown instanceof Error ? thrown.message : words.unreadable))
      .finally(() => setIsReading(false));
  };

  return (
    <>
      <div
        className={isOver ? 'file-drop review-drop over' : 'file-drop review-drop'}
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
        <strong>{words.title}</strong>
        <span className="hint">{words.hint}</span>
        <FileButton label={isReading ? words.reading : words.choose} isPrimary onFile={open} />
      </div>
      {choices.length > 0 && (
        <section className="file-sessions" aria-label={words.sessions}>
          <p>{words.several(choices.length)}</p>
          <ul>
            {choices.map((choice, index) => (
              <li key={index}>
                <button type="button" className="wide" onClick={() => onOpen(choice)}>
                  {titleOf(choice) || texts.untitled}
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
  return createReview(events).stateAt(Infinity).title;
}
