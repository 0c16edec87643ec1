import type { ReactElement } from 'react';

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
  return (
    <div className="text-change">
      {before !== undefined && (
        <p className="removed">
          <span className="visually-hidden">Before: </span>
          {before.slice(0, longest)}
        </p>
      )}
      {after !== undefined && (
        <p className="added">
          <span className="visually-hidden">After: </span>
          {after.slice(0, longest)}
        </p>
      )}
    </div>
  );
}
