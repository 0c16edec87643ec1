import { type ReactElement, useEffect, useRef, useState } from 'react';
import type { Annotation, Review } from '../../review/index.ts';
import { messageOf } from '../base/messageOf.ts';
import { Card } from './Card.tsx';
import { View } from './Listing.tsx';
import { nameOfMoment } from './nameOfMoment.ts';
import type { OnAnnotate } from './props.ts';
import { useReviewTexts } from './reviewTexts.ts';

interface NotesViewProps {
  readonly onAnnotate: OnAnnotate | undefined;
  readonly review: Review;
  readonly list: readonly Annotation[];
  /** The moment that a new note is on. */
  readonly seq: number;
  /** Rises with each wish for a new note. */
  readonly wishes: number;
}

/** The notes on moments of the session, and a field for a new one. */
export function NotesView({ review, list, seq, onAnnotate, wishes }: NotesViewProps): ReactElement {
  const texts = useReviewTexts();
  const { notes: words } = texts;
  const [problem, setProblem] = useState<string>();

  /** Returns whether the page has taken the change. */
  const annotate: OnAnnotate | undefined =
    onAnnotate &&
    (async (change) => {
      try {
        await onAnnotate(change);
        setProblem(undefined);
        return true;
      } catch (thrown) {
        setProblem(messageOf(thrown));
        return false;
      }
    });

  return (
    <View name={texts.views.notes}>
      {annotate && (
        <NoteForm
          name={nameOfMoment(review, seq, texts)}
          wishes={wishes}
          onAdd={async (text) => (await annotate({ type: 'add', seq, text })) === true}
        />
      )}
      {problem !== undefined && (
        <p className="bk-bad" role="alert">
          {problem}
        </p>
      )}
      {list.length === 0 && <p className="bk-nothing">{words.none}</p>}
      <ol className="bk-listing">
        {list.map((note) => (
          <NoteRow
            key={note.id}
            note={note}
            onRemove={annotate && (() => void annotate({ type: 'remove', id: note.id }))}
          />
        ))}
      </ol>
    </View>
  );
}

interface NoteFormProps {
  /** Of the moment. */
  readonly name: string;
  readonly wishes: number;
  /** Resolves with whether the note was taken. */
  readonly onAdd: (text: string) => Promise<boolean>;
}

function NoteForm({ name, wishes, onAdd }: NoteFormProps): ReactElement {
  const { notes: words } = useReviewTexts();
  const [text, setText] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (wishes > 0) field.current?.focus();
  }, [wishes]);
  return (
    <form
      className="bk-note-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() === '') return;
        void onAdd(text.trim()).then((isTaken) => {
          if (isTaken) setText('');
        });
      }}
    >
      <label>
        <span>{words.fresh(name)}</span>
        <textarea
          ref={field}
          name="new-note"
          rows={3}
          maxLength={10_000}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
          }}
        />
      </label>
      <div className="bk-bar">
        <span className="bk-hint">{words.hint}</span>
        <button type="submit" className="bk-button" data-state="primary" aria-disabled={text.trim() === ''}>
          {words.add}
        </button>
      </div>
    </form>
  );
}

interface NoteRowProps {
  readonly note: Annotation;
  readonly onRemove: (() => void) | undefined;
}

function NoteRow({ note, onRemove }: NoteRowProps): ReactElement {
  const { notes: words, board, formats } = useReviewTexts();
  const { seq, text, at, userName } = note;
  return (
    <Card
      seq={seq}
      title={board.event(seq)}
      state="note"
      hint={
        <>
          {userName !== undefined && <bdi>{userName} · </bdi>}
          {formats.date(at)}
        </>
      }
      end={
        onRemove && (
          <button
            type="button"
            className="bk-button"
            data-state="quiet"
            onClick={onRemove}
            aria-label={words.removeOn(seq)}
          >
            {words.remove}
          </button>
        )
      }
    >
      <p className="bk-sent-text" dir="auto">
        {text}
      </p>
    </Card>
  );
}
