import { type ReactElement, type ReactNode, useContext } from 'react';
import { useReviewTexts } from '../texts/reviewTexts.ts';
import { GoTo } from './GoTo.ts';

/** A button that shows a moment: `#12`. */
export function MomentLink({ seq, children }: { readonly seq: number; readonly children?: ReactNode }): ReactElement {
  const words = useReviewTexts();
  const goTo = useContext(GoTo);
  return (
    <button type="button" className="moment-link" title={words.show(seq)} onClick={() => goTo(seq)}>
      {children ?? `#${seq}`}
    </button>
  );
}
