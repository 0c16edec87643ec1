import type { SessionStatus, WhenBusy } from 'brooklet';
import { type ReactElement, type ReactNode, type RefObject, useLayoutEffect, useState } from 'react';
import { useDraft } from '../drafts.ts';
import { Icon } from '../ui/Icon.tsx';
import { Segments } from '../ui/Segments.tsx';

interface ComposerProps {
  readonly ref: RefObject<HTMLTextAreaElement | null>;
  readonly draftId: string;
  readonly status: SessionStatus;
  /** Whether nothing can be sent here. */
  readonly isClosed: boolean;
  /** Resolves to whether the message was accepted. A refused message returns to the field. */
  readonly onSend: (text: string, whenBusy: WhenBusy) => Promise<boolean>;
  readonly onStop: () => void;
  /** Shown above the field: the waiting messages. */
  readonly queue: ReactNode;
  /** Shown below the field: the chosen model. */
  readonly note: ReactNode;
}

const modes: readonly { readonly value: WhenBusy; readonly label: string; readonly title: string }[] = [
  { value: 'queue', label: 'Wait', title: 'Sent when this answer is complete (Enter)' },
  { value: 'steer', label: 'Steer', title: 'The agent reads it before its next step (Ctrl+Enter)' },
  { value: 'interrupt', label: 'Interrupt', title: 'Stops this answer, and is sent at once' },
];

/** The message field, also during a run. Enter sends, Ctrl+Enter steers, Shift+Enter breaks the line, Escape stops. */
export function Composer(props: ComposerProps): ReactElement {
  const { ref, draftId, status, isClosed, onSend, onStop, queue, note } = props;
  const [text, setText] = useDraft(draftId);
  const [mode, setMode] = useState<WhenBusy>('queue');
  const isBusy = status === 'running' || status === 'waiting';
  const canSend = !isClosed && text.trim() !== '';

  useLayoutEffect(() => {
    const field = ref.current;
    if (!field) return;
    field.style.height = 'auto';
    field.style.height = `${field.scrollHeight}px`;
  }, [text, ref]);

  const send = (whenBusy: WhenBusy): void => {
    if (!canSend) return;
    setText('');
    void onSend(text.trim(), whenBusy).then((accepted) => {
      if (!accepted) setText(text);
    });
  };

  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send(mode);
      }}
    >
      {queue}
      {isBusy && <Segments legend="A message now will" options={modes} value={mode} onChange={setMode} />}
      <div className="composer-box">
        <textarea
          ref={ref}
          rows={1}
          aria-label="Message"
          enterKeyHint="send"
          placeholder={placeholders[status]}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            send(isBusy && (event.ctrlKey || event.metaKey) ? 'steer' : mode);
          }}
        />
        {/* Two buttons with keys: a Stop button that became the Send button during a click would stop the run and then send. */}
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
        {isBusy && (
          <button key="stop" type="button" className="round stop" aria-label="Stop" title="Stop (Esc)" onClick={onStop}>
            <Icon name="stop" />
          </button>
        )}
      </div>
      <p className="composer-note">{note}</p>
    </form>
  );
}

const placeholders: Readonly<Record<SessionStatus, string>> = {
  idle: 'Write a message',
  running: 'Write while the agent works',
  waiting: 'Decide above, or write a message',
  interrupted: 'Write a message',
  failed: 'Write a message',
  limit: 'Write a message',
};
