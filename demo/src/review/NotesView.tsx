import type { Annotation } from 'brooklet/review';
import { type ReactElement, useState } from 'react';
import { tabName } from '../tab.ts';
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
    <View name="Notes">
      <form
        className="note-form"
        onSubmit={(event) => {
          event.preventDefault();
          attempt(annotations.add({ seq, text: text.trim(), userName: tabName }), () => setText(''));
        }}
      >
        <label htmlFor="new-note">New note on event {seq}</label>
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
          <span className="hint">
            {isFile
              ? 'Notes on a file last as long as this page. Save the file to keep them.'
              : 'Kept beside the session, and saved with it. The session itself does not change.'}
          </span>
          <button type="submit" className="primary" disabled={text.trim() === ''}>
            Add note
          </button>
        </div>
      </form>
      {problem !== undefined && (
        <p className="bad" role="alert">
          {problem}
        </p>
      )}
      {list.length === 0 && <p className="nothing">No notes yet.</p>}
      <ol className="listing">
        {list.map((note) => (
          <NoteRow key={note.id} note={note} onRemove={() => attempt(annotations.remove(note.id))} />
        ))}
      </ol>
    </View>
  );
}

function NoteRow({ note, onRemove }: { readonly note: Annotation; readonly onRemove: () => void }): ReactElement {
  const { seq, text, at, userName } = note;
  return (
    <li className="card note">
      <header className="card-top">
        <h3>
          <MomentLink seq={seq}>Event {seq}</MomentLink>
        </h3>
        <span className="hint">
          {userName === undefined ? '' : `${userName} · `}
          {formatDate(at)}
        </span>
        <button type="button" className="quiet small" onClick={onRemove} aria-label={`Delete the note on event ${seq}`}>
          Delete
        </button>
      </header>
      <p className="sent-text">{text}</p>
    </li>
  );
}
