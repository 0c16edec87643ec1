import { type ReactElement, useEffect } from 'react';
import { useAllTexts } from '../texts/useAllTexts.ts';
import { focusMessage } from '../ui/focusMessage.ts';
import { Icon } from '../ui/Icon.tsx';
import { Modal } from '../ui/Modal.tsx';
import { UnlockForm } from './UnlockForm.tsx';
import { needsUnlocking, useVault } from './vault.ts';

/** Unlocks the stored keys before a message is sent. Closes when there is nothing to unlock. */
export function UnlockDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { keys: words, common } = useAllTexts();
  const state = useVault();
  const isDone = state.status !== 'opening' && !needsUnlocking(state);
  useEffect(() => {
    if (!isDone) return;
    onClose();
    // What has opened the dialog is gone: it said that the keys are locked.
    focusMessage();
  }, [isDone, onClose]);
  return (
    <Modal title={words.unlockTitle} onClose={onClose}>
      <p className="hint">{words.unlockText}</p>
      <UnlockForm />
      {/* After the field, which has the focus first. */}
      <button type="button" className="quiet small modal-close" aria-label={common.close} onClick={onClose}>
        <Icon name="close" />
      </button>
    </Modal>
  );
}
