import type { ReactElement } from 'react';
import { Modal } from '../ui/Modal.tsx';
import { keyHelp } from './useReviewKeys.ts';

/** The keys of the review. */
export function KeyHelp({ onClose }: { readonly onClose: () => void }): ReactElement {
  return (
    <Modal title="Keys" onClose={onClose}>
      <dl className="key-help">
        {keyHelp.map(([keys, does]) => (
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
          Close
        </button>
      </div>
    </Modal>
  );
}
