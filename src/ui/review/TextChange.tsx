import type { ReactElement } from 'react';
import { useReviewTexts } from './reviewTexts.ts';

interface TextChangeProps {
  /** Missing where the text was added. */
  readonly before?: string;
  /** Missing where the text was removed. */
  readonly after?: string;
}

/** Characters of a text that are shown. */
const longest = 4_000;

/** A text before and after. */
export function TextChange({ before, after }: TextChangeProps): ReactElement {
  const { compare: words } = useReviewTexts();
  return (
    <div className="bk-text-change">
      {before !== undefined && (
        <p data-state="removed" dir="auto">
          <span className="bk-hidden">{words.before}</span>
          {before.slice(0, longest)}
        </p>
      )}
      {after !== undefined && (
        <p data-state="added" dir="auto">
          <span className="bk-hidden">{words.after}</span>
          {after.slice(0, longest)}
        </p>
      )}
    </div>
  );
}
