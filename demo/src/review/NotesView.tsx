import type { Annotation } from 'brooklet/review';
import { type ReactElement, useState } from 'react';
import { tabName } from '../tab.ts';
import { useReviewTexts } from '../texts/reviewTexts.ts';
import { formatDate } from './format.ts';
import { View } from './Listing.tsx';
import { MomentLink } from './MomentLink.tsx';
import type { Notes } from './useAnnotations.ts';

interface NotesViewProps {
  readonly notes: Notes;
  /** The moment that a new note is on. */
  readonly seq: number;
  /** Whether the notes are those of a file: they are not stored. */
  readonly isFile: boolean;
}

/** The notes on moments of the session, and a field for a new one. */
export function NotesView({ notes, seq, isFile }: NotesViewProps): ReactElement {
  const texts = useReviewTexts();
  const { notes: words } = texts;
  const { annotations, list } = notes;
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();

  const attempt = (done: Promise<unknown>, then?: () => void): void => {
    done.then(
      () => {
        setProblem(undefined);
        then?.();
      },
      (thrown: unknown) => setProblem(thrown instanceof Error ? thrown.message : String(thrown)),
    );
  };

  return (
    <View name={texts.views.notes}>
      <form
        className="note-form"
        onSubmit={(event) => {
          event.preventDefault();
          attempt(annotations.add({ seq, text: text.trim(), userName: tabName }), () => setText(''));
        }}
      >
        <label htmlFor="new-note">{words.fresh(seq)}</label>
        <textarea
          id="new-note"
          rows={3}
          maxLength={10_000}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
          }}
        />
        <div className="note-buttons">
          <span className="hint">{isFile ? words.inFile : words.kept}</span>
          <button type="submit" className="primary" disabled={text.trim() === ''}>
            {words.add}
          </button>
        </div>
      </form>
      {problem !== undefined && (
        <p className="bad" role="alert">
          {problem}
        </p>
      )}
      {list.length === 0 && <p className="nothing">{words.none}</p>}
      <ol className="listing">
        {list.map((note) => (
          <NoteRow key={note.id} note={note} onRemove={() => attempt(annotations.remove(note.id))} />
        ))}
      </ol>
    </View>
  );
}

function NoteRow({ note, onRemove }: { readonly note: Annotation; readonly onRemove: () => void }): ReactElement {
  const texts = useReviewTexts();
  const { notes: words } = texts;
  const { seq, text, at, userName } = note;
  return (
    <li className="card note">
      <header className="card-top">
        <h3>
          <MomentLink seq={seq}>{texts.event(seq)}</MomentLink>
        </h3>
        <span className="hint">
          {userName === undefined ? '' : `${userName} · `}
          {formatDate(texts, at)}
        </span>
        <button type="button" className="quiet small" onClick={onRemove} aria-label={words.removeOn(seq)}>
          {words.remove}
        </button>
      </header>
      <p className="sent-text">{text}</p>
    </li>
  );
}
