import { type KeyboardEvent, type ReactElement, useState } from 'react';
import { focusNow } from '../base/focus.ts';
import { isComposing } from '../base/isComposing.ts';
import { part } from '../base/part.ts';
import type { Labels } from '../labels/english.ts';

interface MessageEditorProps {
  readonly text: string;
  readonly labels: Labels['message'];
  readonly onSend: (text: string) => void;
  /** Called with what was typed, so that it is there when the person comes back. */
  readonly onCancel: (draft: string) => void;
}

/** A message of the person while it is edited. Enter sends it, Escape leaves it and keeps what was typed. */
export function MessageEditor({ text, labels, onSend, onCancel }: MessageEditorProps): ReactElement {
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
      {...part('message-editor')}
      autoComplete="off"
      data-typed={draft === text ? undefined : ''}
      onSubmit={(event) => {
        event.preventDefault();
        if (draft.trim() !== '') onSend(draft.trim());
      }}
    >
      <textarea
        aria-label={labels.editField}
        // The person has just asked to type here.
        ref={focusNow}
        // At the end, where a person continues to write.
        onFocus={({ currentTarget: field }) => field.setSelectionRange(field.value.length, field.value.length)}
        rows={Math.min(12, draft.split('\n').length + 1)}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="bk-buttons">
        <button type="submit" className="bk-button" data-state="primary">
          {labels.sendEdit}
        </button>
        <button type="button" className="bk-button" onClick={() => onCancel(draft)}>
          {labels.cancel}
        </button>
        <span className="bk-hint">{labels.editNote}</span>
      </div>
    </form>
  );
}
