import { type KeyboardEvent, type ReactElement, useState } from 'react';
import { useTexts } from '../texts/useTexts.ts';
import { isComposing } from '../ui/isComposing.ts';

interface MessageEditorProps {
  readonly text: string;
  readonly onSend: (text: string) => void;
  /** Called with what was typed, so that it is there when the user comes back. */
  readonly onCancel: (draft: string) => void;
}

/** A message of the user while it is edited. Enter sends it, Escape leaves it and keeps what was typed. */
export function MessageEditor({ text, onSend, onCancel }: MessageEditorProps): ReactElement {
  const { message: words } = useTexts();
  const [draft, setDraft] = useState(text);
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (isComposing(event.nativeEvent)) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      onCancel(draft);
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      event.currentTarget.form?.requestSubmit();
    }
  };
  return (
    <form
      autoComplete="off"
      className="message-editor"
      data-typed={draft === text ? undefined : ''}
      onSubmit={(event) => {
        event.preventDefault();
        if (draft.trim() !== '') onSend(draft.trim());
      }}
    >
      <textarea
        aria-label={words.editField}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user has just asked to type here
        autoFocus
        rows={Math.min(12, draft.split('\n').length + 1)}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="approval-verbs">
        <button type="submit" className="primary">
          {words.sendEdit}
        </button>
        <button type="button" onClick={() => onCancel(draft)}>
          {words.cancel}
        </button>
        <span className="hint">{words.editNote}</span>
      </div>
    </form>
  );
}
