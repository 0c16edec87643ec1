import type { SessionStatus } from 'brooklet';
import { type ReactElement, type ReactNode, type RefObject, useLayoutEffect } from 'react';
import { useDraft } from '../drafts.ts';
import { Icon } from '../ui/Icon.tsx';

interface ComposerProps {
  readonly ref: RefObject<HTMLTextAreaElement | null>;
  readonly draftId: string;
  readonly status: SessionStatus;
  /** Whether nothing can be sent here. */
  readonly isClosed: boolean;
  /** Gives whether it was taken; what was not comes back into the field. */
  readonly onSend: (text: string) => Promise<boolean>;
  readonly onStop: () => void;
  /** Stands below: who answers. */
  readonly note: ReactNode;
}

/** Where one speaks. Enter sends, Shift+Enter breaks the line, Escape stops. */
export function Composer({ ref, draftId, status, isClosed, onSend, onStop, note }: ComposerProps): ReactElement {
  const [text, setText] = useDraft(draftId);
  const isBusy = status === 'running' || status === 'waiting';
  const canSend = !isBusy && !isClosed && text.trim() !== '';

  useLayoutEffect(() => {
    const field = ref.current;
    if (!field) return;
    field.style.height = 'auto';
    field.style.height = `${field.scrollHeight}px`;
  }, [text, ref]);

  const send = (): void => {
    if (!canSend) return;
    setText('');
    void onSend(text.trim()).then((taken) => {
      if (!taken) setText(text);
    });
  };

  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <div className="composer-box">
        <textarea
          ref={ref}
          rows={1}
          aria-label="Message"
          enterKeyHint="send"
          placeholder={status === 'waiting' ? 'Decide above first, or stop' : 'Write a message'}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            send();
          }}
        />
        {/* Two buttons, by their keys: one that turned into the other during a click would stop and then send. */}
        {isBusy ? (
          <button key="stop" type="button" className="round stop" aria-label="Stop" title="Stop (Esc)" onClick={onStop}>
            <Icon name="stop" />
          </button>
        ) : (
          <button
            key="send"
            type="submit"
            className="round primary"
            aria-label="Send"
            title="Send (Enter)"
            disabled={!canSend}
          >
            <Icon name="send" />
          </button>
        )}
      </div>
      <p className="composer-note">{note}</p>
    </form>
  );
}
