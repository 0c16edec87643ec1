import type { ReactElement } from 'react';
import { Glyph } from './Glyph.tsx';

interface CloseButtonProps {
  /** The accessible name: what it closes, clears or dismisses. */
  readonly label: string;
  readonly onClick: () => void;
}

/** A small button with a cross. */
export function CloseButton({ label, onClick }: CloseButtonProps): ReactElement {
  return (
    <button type="button" className="bk-icon-button" aria-label={label} title={label} onClick={onClick}>
      <Glyph name="close" />
    </button>
  );
}
