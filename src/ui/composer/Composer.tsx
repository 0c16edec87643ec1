import { type KeyboardEvent, type ReactElement, type ReactNode, type SyntheticEvent, useRef, useState } from 'react';
import type { WhenBusy } from '../../index.ts';
import { Icon } from '../base/Icon.tsx';
import { isComposing } from '../base/isComposing.ts';
import { part } from '../base/part.ts';
import { Segments } from '../base/Segments.tsx';
import { touchScreen, useMedia } from '../base/useMedia.ts';
import { usePageEffect } from '../base/usePageEffect.ts';
import { useLabels } from '../labels/useLabels.ts';
import type { ComposerProps, ComposerSlot } from '../props.ts';
import { AttachButton } from './AttachButton.tsx';
import { AttachmentList } from './AttachmentList.tsx';
import { isTextAccepted, usualFiles } from './readFile.ts';
import { useAttachments } from './useAttachments.ts';
import { useDraft } from './useDraft.ts';
import { useDrop } from './useDrop.ts';

/**
 * The message field, also during a run. Enter sends, Ctrl+Enter steers, Shift+Enter breaks the line; on a touch screen Enter breaks it. The
 * draft and its files stay until the message has been accepted: a refused message loses nothing.
 */
export function Composer(props: ComposerProps): ReactElement {
  const { chat, accept = usualFiles, maxBytes = 5_000_000, maxFiles = 8, tokensOf, isClosed = false, slots } = props;
  const { maxTokens, pasteAsFile = Infinity, value, onValue, fieldRef, labels, className } = props;
  const words = useLabels('composer', labels);
  const draft = useDraft(value, onValue);
  const attachments = useAttachments({ accept, maxBytes, maxFiles }, words);
  const [mode, setMode] = useState<WhenBusy>('queue');
  /** The message that is on its way. */
  const sending = useRef<object>(undefined);
  const [accepted, setAccepted] = useState<object>();
  const form = useRef<HTMLFormElement>(null);
  const takesFiles = accept !== '' && maxFiles > 0;
  const takesText = takesFiles && isTextAccepted(accept);
  const isOver = useDrop(form, takesFiles ? (files) => void attachments.add(files) : undefined);
  const isTouched = useMedia(touchScreen);
  const { status } = chat;
  const isBusy = status === 'running' || status === 'waiting';
  const isBlank = draft.text.trim() === '' && attachments.files.length === 0;
  const canSend = !isClosed && !isBlank;

  usePageEffect(() => {
    const field = form.current?.querySelector('textarea');
    // Where the browser sizes the field, no key costs a layout of the page.
    if (!field || Reflect.has(field.style, 'fieldSizing')) return;
    field.style.height = 'auto';
    field.style.height = `${field.scrollHeight}px`;
  }, [draft.text]);

  // With the field that is empty again: until then, the next message would be the same one.
  usePageEffect(() => {
    if (sending.current === accepted) sending.current = undefined;
  }, [accepted]);

  const send = (whenBusy: WhenBusy): void => {
    if (!canSend || sending.current) return;
    const { text } = draft;
    const { files } = attachments;
    const content = text.trim() === '' ? [] : [{ type: 'text' as const, text: text.trim() }];
    const input = files.length === 0 ? text.trim() : { content: [...files.map((file) => file.part), ...content] };
    const message = {};
    // The promise ends with the run, when another message may be on its way.
    const end = (): void => {
      if (sending.current === message) sending.current = undefined;
    };
    const onAccepted = (): void => {
      setAccepted(message);
      draft.clear(text);
      attachments.remove(files);
      setMode('queue');
    };
    sending.current = message;
    chat.send(input, { whenBusy, onAccepted }).then(end, end);
  };
  const onSubmit = (event: SyntheticEvent): void => {
    event.preventDefault();
    send(mode);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || isComposing(event.nativeEvent)) return;
    const isSteering = event.ctrlKey || event.metaKey;
    if (isTouched && !isSteering) return;
    event.preventDefault();
    send(isBusy && isSteering ? 'steer' : mode);
  };

  /** Attaches a pasted text that is long; returns whether it is attached. */
  const becomesFile = (text: string): boolean => text.length > pasteAsFile && takesText && attachments.addPasted(text);

  const inSlot = (slot: ComposerSlot): ReactNode =>
    typeof slot === 'function'
      ? slot({
          addFiles: attachments.add,
          addText: (added) => draft.set([draft.text, added].filter(Boolean).join('\n\n')),
        })
      : slot;
  const placeholder =
    status === 'running'
      ? words.placeholderRunning
      : status === 'waiting'
        ? words.placeholderWaiting
        : words.placeholder;
  return (
    <form
      {...part('composer', className, isOver ? 'over' : isBusy ? 'busy' : 'idle')}
      ref={form}
      // Otherwise the browser keeps the text of the field in a file of its own, which nothing encrypts.
      autoComplete="off"
      onSubmit={onSubmit}
    >
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
      <div className="bk-box">
        <AttachmentList
          attachments={attachments}
          tokensOf={tokensOf}
          maxTokens={maxTokens}
          onText={(added) => draft.set([draft.text, added].filter(Boolean).join('\n\n'))}
          onDone={() => form.current?.querySelector('textarea')?.focus()}
          labels={words}
        />
        <textarea
          ref={fieldRef}
          data-focus-home=""
          part="field"
          rows={1}
          aria-label={words.label}
          enterKeyHint={isTouched ? 'enter' : 'send'}
          placeholder={placeholder}
          value={draft.text}
          onChange={(event) => draft.set(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={(event) => {
            const files = [...event.clipboardData.files];
            if (!takesFiles) return;
            if (files.length > 0) void attachments.add(files);
            else if (!becomesFile(event.clipboardData.getData('text/plain'))) return;
            event.preventDefault();
          }}
        />
        <div className="bk-box-buttons">
          {takesFiles && (
            <AttachButton accept={accept} label={words.attach} onFiles={(files) => void attachments.add(files)} />
          )}
          {inSlot(slots?.start)}
          <span className="bk-space" />
          {inSlot(slots?.end)}
          {/* Two buttons with keys: a Stop button that became the Send button during a click would stop the run and then send. */}
          {isBusy && (
            <button
              key="stop"
              type="button"
              className="bk-round"
              data-state="stop"
              part="stop"
              aria-label={words.stop}
              title={words.stopTitle}
              // The second click of a double click on Send, in whose place Stop is by then.
              onClick={({ detail }) => detail < 2 && chat.stop()}
            >
              <Icon name="stop" />
            </button>
          )}
          {(!isBusy || !isBlank) && (
            <button
              key="send"
              type="submit"
              className="bk-round"
              data-state="send"
              part="send"
              aria-label={words.send}
              title={words.sendTitle}
              disabled={!canSend}
            >
              <Icon name="send" />
            </button>
          )}
        </div>
        {isOver && (
          <p className="bk-drop" aria-hidden="true">
            {words.drop}
          </p>
        )}
      </div>
      {slots?.note !== undefined && <div className="bk-hint">{slots.note}</div>}
    </form>
  );
}
