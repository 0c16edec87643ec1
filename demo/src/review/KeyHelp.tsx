import type { ReactElement } from 'react';
import { useReviewTexts } from '../texts/reviewTexts.ts';
import { Modal } from '../ui/Modal.tsx';

/** The keys of the review. */
export function KeyHelp({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { keys: words } = useReviewTexts();
  return (
    <Modal title={words.title} onClose={onClose}>
      <dl className="key-help">
        {words.help.map(([keys, does]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <div className="buttons">
        <button type="button" className="primary" onClick={onClose}>
          {words.close}
        </button>
      </div>
    </Modal>
  );
}
