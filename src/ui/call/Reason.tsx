import { type KeyboardEvent, type ReactElement, type SyntheticEvent, useState } from 'react';
import { focusNow } from '../base/focus.ts';
import { isComposing } from '../base/isComposing.ts';
import type { Once } from './useOnce.ts';

interface ReasonProps {
  /** Of the button that declines. */
  readonly label: string;
  readonly question: string;
  readonly optional: string;
  readonly back: string;
  readonly once: Pick<Once, 'isUnderWay' | 'refusal' | 'run'>;
  readonly onReason: (reason: string) => unknown;
  readonly onBack: () => void;
}

/** Asks why a person declines. Escape goes back. */
export function Reason({ label, question, optional, back, once, onReason, onBack }: ReasonProps): ReactElement {
  const [reason, setReason] = useState('');
  const onSubmit = (event: SyntheticEvent): void => {
    event.preventDefault();
    once.run(() => onReason(reason.trim()));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || isComposing(event.nativeEvent)) return;
    event.preventDefault();
    onBack();
  };
  return (
    <form
      className="bk-reason"
      autoComplete="off"
      data-typed={reason === '' ? undefined : ''}
      onSubmit={onSubmit}
      onKeyDown={onKeyDown}
    >
      <label>
        <span>{question}</span>
        <input
          // The person has just asked to type here.
          ref={focusNow}
          placeholder={optional}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </label>
      {once.refusal !== undefined && (
        <p className="bk-bad" role="alert">
          {once.refusal.message}
        </p>
      )}
      <div className="bk-buttons">
        <button type="submit" className="bk-button" data-state="danger" aria-disabled={once.isUnderWay}>
          {label}
        </button>
        <button type="button" className="bk-button" onClick={onBack}>
          {back}
        </button>
      </div>
    </form>
  );
}
