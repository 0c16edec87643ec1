import { useAgent, useSchedules } from 'brooklet/react';
import { type ReactElement, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { goTo } from '../base/route.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { reportRefusal } from '../toast/reportRefusal.ts';
import { Icon } from '../ui/Icon.tsx';
import { Modal } from '../ui/Modal.tsx';
import '../styles/settings.css';

interface LaterDialogProps {
  /** Without an id: a new conversation. */
  readonly sessionId: string | undefined;
  readonly onClose: () => void;
}

const minute = 60_000;
const hour = 60 * minute;

/** Returns a time as a field of type `datetime-local` has it. */
function toField(time: number): string {
  const date = new Date(time);
  return new Date(time - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Plans a prompt for a conversation, and lists all that are planned. */
export function LaterDialog({ sessionId, onClose }: LaterDialogProps): ReactElement {
  const { later: words, common } = useAllTexts();
  const agent = useAgent();
  const planned = useSchedules();
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  // The minute that has begun lies in the past.
  const [soonest, setSoonest] = useState(() => toField(Date.now() + minute));
  const [time, setTime] = useState(() => toField(Date.now() + hour));

  /** Returns whether the time is still to come. It may pass while the dialog is open: the field states the soonest one then. */
  const isToCome = (): boolean => {
    if (Date.parse(time) > Date.now()) return true;
    flushSync(() => setSoonest(toField(Date.now() + minute)));
    field.current?.reportValidity();
    return false;
  };

  const plan = async (): Promise<void> => {
    const id = sessionId ?? agent.createSession();
    await agent.schedule(id, text, new Date(time));
    if (sessionId === undefined) goTo(id);
    onClose();
  };

  return (
    <Modal title={words.title} onClose={onClose}>
      <form
        className="settings chat-settings"
        onSubmit={(event) => {
          event.preventDefault();
          if (isToCome()) plan().catch(reportRefusal);
        }}
      >
        <label className="stacked">
          <span>{words.text}</span>
          <textarea rows={3} required value={text} onChange={(event) => setText(event.target.value)} />
        </label>
        <label className="stacked">
          <span>{words.time}</span>
          <input
            ref={field}
            type="datetime-local"
            required
            min={soonest}
            value={time}
            onChange={(event) => setTime(event.target.value)}
          />
          <small className="hint">{words.hint}</small>
        </label>
        {planned.length > 0 && (
          <ul aria-label={words.planned}>
            {planned.map((one) => (
              <li key={one.id}>
                {words.at(one.due)} <bdi>{one.text}</bdi>{' '}
                {one.error && <span className="hint">{one.error.message}</span>}
                <button
                  type="button"
                  className="quiet small"
                  aria-label={words.cancel(one.text)}
                  onClick={() => void agent.unschedule(one.id).catch(reportRefusal)}
                >
                  <Icon name="close" />
                </button>
              </li>
            ))}
          </ul>
        )}
        <div className="modal-verbs">
          <button type="button" onClick={onClose}>
            {common.cancel}
          </button>
          <button type="submit" className="primary">
            {words.plan}
          </button>
        </div>
      </form>
      {/* After the field, which has the focus first. */}
      <button type="button" className="quiet small modal-close" aria-label={common.close} onClick={onClose}>
        <Icon name="close" />
      </button>
    </Modal>
  );
}
