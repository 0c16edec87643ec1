import { type ReactElement, type ReactNode, useContext } from 'react';
import { GoTo } from './GoTo.ts';
import { useReviewTexts } from './reviewTexts.ts';

/** A button that shows a moment: `#12`. */
export function MomentLink({ seq, children }: { readonly seq: number; readonly children?: ReactNode }): ReactElement {
  const { board: words } = useReviewTexts();
  const goTo = useContext(GoTo);
  return (
    <button type="button" className="bk-moment-link" title={words.show(seq)} onClick={() => goTo(seq)}>
      {children ?? `#${seq}`}
    </button>
  );
}
