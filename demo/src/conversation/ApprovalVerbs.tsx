import type { ReactElement } from 'react';
import type { Mode } from './ApprovalForm.tsx';
import { useTexts } from '../texts/useTexts.ts';

interface ApprovalVerbsProps {
  readonly mode: Mode;
  readonly isDeciding: boolean;
  readonly onMode: (mode: Mode) => void;
}

/** The buttons of an approval. The submit button decides, the others change the mode of the form. */
export function ApprovalVerbs({ mode, isDeciding, onMode }: ApprovalVerbsProps): ReactElement {
  const { approval: text } = useTexts();
  if (mode === 'asking')
    return (
      <>
        <button type="submit" className="primary" aria-disabled={isDeciding}>
          {text.approve}
        </button>
        <button type="button" onClick={() => onMode('editing')}>
          {text.edit}
        </button>
        <button type="button" onClick={() => onMode('rejecting')}>
          {text.reject}
        </button>
      </>
    );
  return (
    <>
      <button type="submit" className={mode === 'editing' ? 'primary' : 'danger'} aria-disabled={isDeciding}>
        {mode === 'editing' ? text.approveEdited : text.rejectCall}
      </button>
      <button type="button" onClick={() => onMode('asking')}>
        {text.back}
      </button>
    </>
  );
}
