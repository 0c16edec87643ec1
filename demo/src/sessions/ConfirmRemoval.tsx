import type { ReactElement } from 'react';
import { Modal } from '../ui/Modal.tsx';

interface ConfirmRemovalProps {
  readonly title: string;
  readonly onCancel: () => void;
  readonly onConfirm: () => void;
}

/** Asks the user to confirm the removal of a conversation. */
export function ConfirmRemoval({ title, onCancel, onConfirm }: ConfirmRemovalProps): ReactElement {
  return (
    <Modal title="Delete this conversation?" role="alertdialog" onClose={onCancel}>
      <p>
        “<bdi>{title || 'Untitled'}</bdi>” will be removed from this browser. This cannot be undone.
      </p>
      <div className="modal-verbs">
        <button type="button" onClick={onCancel}>
          Keep it
        </button>
        <button type="button" className="danger" onClick={onConfirm}>
          Delete
        </button>
      </div>
    </Modal>
  );
}
