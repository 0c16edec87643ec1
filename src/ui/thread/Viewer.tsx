import { type ReactElement, type ReactNode, useEffect, useRef } from 'react';
import { IconButton } from '../base/IconButton.tsx';
import { part } from '../base/part.ts';
import { useLabels } from '../labels/useLabels.ts';

interface ViewerProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Shows a file of a message over the page. Escape and a click beside it close it, and the focus is where it was. */
export function Viewer({ title, onClose, children }: ViewerProps): ReactElement {
  const words = useLabels('message', undefined);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    // Missing in tests without a browser.
    element?.showModal?.();
    return () => element?.close?.();
  }, []);
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- Escape is the key
    <dialog
      {...part('viewer')}
      ref={dialog}
      aria-label={title}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <header>
        <strong>
          <bdi>{title}</bdi>
        </strong>
        <IconButton icon="close" label={words.close} onClick={onClose} />
      </header>
      {children}
    </dialog>
  );
}

/** Characters of a text file that are shown. */
const maxText = 200_000;

/** The text of a file, in a viewer. */
export function FileText({ text }: { readonly text: string }): ReactElement {
  const { leftOut } = useLabels('tool', undefined);
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be reachable by keyboard */}
      <pre tabIndex={0} dir="auto">
        {text.slice(0, maxText)}
      </pre>
      {text.length > maxText && <p className="bk-hint">{leftOut(text.length - maxText)}</p>}
    </>
  );
}
