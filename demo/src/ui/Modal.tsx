import { type ReactElement, type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import '../styles/dialogs.css';

interface ModalProps {
  readonly title: string;
  readonly role?: 'dialog' | 'alertdialog';
  readonly className?: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A native dialog: keeps the focus inside, closes on Escape and on a click outside, and restores the focus. */
export function Modal({ title, role = 'dialog', className = '', onClose, children }: ModalProps): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  // A layout effect: the dialog must still be in the page when it closes and restores the focus.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);

  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- Escape is the key
    <dialog
      ref={dialog}
      role={role}
      aria-labelledby={titleId}
      className={`modal ${className}`}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div className="modal-body">
        <h2 id={titleId}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}
