import { type ReactElement, useId, useRef } from 'react';
import { usePageEffect } from '../base/usePageEffect.ts';
import { useReviewTexts } from './reviewTexts.ts';

/** The keys of the review, in a dialog that Escape and a click outside close. */
export function KeyHelp({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { keys: words } = useReviewTexts();
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  // A layout effect: the dialog must still be in the page when it closes and restores the focus.
  usePageEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);

  return (
    <dialog
      ref={dialog}
      className="bk-dialog"
      aria-labelledby={titleId}
      onKeyDown={(event) => {
        if (event.key === 'Escape') event.stopPropagation();
      }}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div>
        <h2 id={titleId}>{words.title}</h2>
        <dl className="bk-key-help">
          {words.help.map(([keys, does]) => (
            <div key={keys}>
              <dt>
                <kbd>{keys}</kbd>
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
        <div className="bk-buttons">
          <button type="button" className="bk-button" data-state="primary" onClick={onClose}>
            {words.close}
          </button>
        </div>
      </div>
    </dialog>
  );
}
