import type { ChatInput, SessionStatus, WhenBusy } from 'brooklet';
import {
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
  Suspense,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useDraft } from '../drafts.ts';
import { ServerOffers } from '../shell/rooms.ts';
import { Icon } from '../ui/Icon.tsx';
import { isComposing } from '../ui/isComposing.ts';
import { Segments } from '../ui/Segments.tsx';
import { AttachmentList } from './AttachmentList.tsx';
import type { Attachments } from './useAttachments.ts';
import { useTexts } from '../texts/useTexts.ts';

interface ComposerProps {
  readonly ref: RefObject<HTMLTextAreaElement | null>;
  readonly draftId: string;
  readonly status: SessionStatus;
  /** Whether nothing can be sent here. */
  readonly isClosed: boolean;
  readonly attachments: Attachments;
  /** Resolves to whether the message was accepted. A refused message returns to the field. */
  readonly onSend: (input: string | ChatInput, whenBusy: WhenBusy) => Promise<boolean>;
  readonly onStop: () => void;
  /** Shown above the field: the waiting messages. */
  readonly queue: ReactNode;
  /** Shown below the field: the chosen model. */
  readonly note: ReactNode;
}

/** The message field, also during a run. Enter sends, Ctrl+Enter steers, Shift+Enter breaks the line, Escape stops. */
export function Composer(props: ComposerProps): ReactElement {
  const { ref, draftId, status, isClosed, attachments, onSend, onStop, queue, note } = props;
  const { composer: words } = useTexts();
  const [text, setText] = useDraft(draftId);
  const [mode, setMode] = useState<WhenBusy>('queue');
  const isBusy = status === 'running' || status === 'waiting';
  const isBlank = text.trim() === '' && attachments.files.length === 0;
  const canSend = !isClosed && !isBlank;
  const placeholder =
    status === 'running'
      ? words.placeholderRunning
      : status === 'waiting'
        ? words.placeholderWaiting
        : words.placeholder;

  useLayoutEffect(() => {
    const field = ref.current;
    // Where the browser sizes the field, no key costs a layout of the page.
    if (!field || Reflect.has(field.style, 'fieldSizing')) return;
    field.style.height = 'auto';
    field.style.height = `${field.scrollHeight}px`;
  }, [text, ref]);

  const send = (whenBusy: WhenBusy): void => {
    if (!canSend) return;
    const words = text.trim();
    const files = attachments.take();
    const textPart = words === '' ? [] : [{ type: 'text' as const, text: words }];
    setText('');
    setMode('queue');
    void onSend(
      files.length === 0 ? words : { content: [...files.map(({ part }) => part), ...textPart] },
      whenBusy,
    ).then((accepted) => {
      attachments.settle(files, accepted);
      if (!accepted) setText(text);
    });
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || isComposing(event.nativeEvent)) return;
    event.preventDefault();
    send(isBusy && (event.ctrlKey || event.metaKey) ? 'steer' : mode);
  };

  return (
    <form
      // Otherwise the browser keeps the text of the field in a file of its own, which nothing encrypts.
      autoComplete="off"
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send(mode);
      }}
    >
      {queue}
      {isBusy && !isBlank && (
        <Segments
          legend={words.whenBusy}
          options={[
            { value: 'queue', label: words.wait, title: words.waitTitle },
            { value: 'steer', label: words.steer, title: words.steerTitle },
            { value: 'interrupt', label: words.interrupt, title: words.interruptTitle },
          ]}
          value={mode}
          onChange={setMode}
        />
      )}
      <div className="composer-box">
        <AttachmentList attachments={attachments} />
        <textarea
          ref={ref}
          data-focus-home=""
          rows={1}
          aria-label={words.message}
          enterKeyHint="send"
          placeholder={placeholder}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={(event) => {
            const files = [...event.clipboardData.files];
            if (files.length === 0) return;
            event.preventDefault();
            void attachments.add(files);
          }}
        />
        <AttachButton onFiles={(files) => void attachments.add(files)} />
        <Suspense>
          <ServerOffers
            attachments={attachments}
            onText={(added) => setText([text, added].filter(Boolean).join('\n\n'))}
          />
        </Suspense>
        {/* Two buttons with keys: a Stop button that became the Send button during a click would stop the run and then send. */}
        {isBusy && (
          <button
            key="stop"
            type="button"
            className="round stop"
            aria-label={words.stop}
            title={words.stopTitle}
            onClick={onStop}
          >
            <Icon name="stop" />
          </button>
        )}
        {(!isBusy || !isBlank) && (
          <button
            key="send"
            type="submit"
            className="round primary send"
            aria-label={words.send}
            title={words.sendTitle}
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

function AttachButton({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }): ReactElement {
  const { composer: words } = useTexts();
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        tabIndex={-1}
        aria-label={words.attach}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          // The same file can be chosen again.
          target.value = '';
        }}
      />
      <button
        type="button"
        className="round quiet attach"
        aria-label={words.attach}
        title={words.attach}
        onClick={() => picker.current?.click()}
      >
        <Icon name="attach" />
      </button>
    </>
  );
}
