import type { ReactElement } from 'react';
import type { Labels } from '../labels/english.ts';

interface PlainTextProps {
  readonly text: string;
  /** Characters that follow and are not shown. */
  readonly leftOut?: number;
  readonly labels: Labels['markdown'];
}

/** Markdown that is shown as it was written: its rendering failed, or would block the page. */
export function PlainText({ text, leftOut = 0, labels }: PlainTextProps): ReactElement {
  return (
    <div className="bk-plain">
      <p className="bk-hint">{labels.plain}</p>
      <p dir="auto" className="bk-source-text">
        {text}
      </p>
      {leftOut > 0 && <p className="bk-hint">{labels.leftOut(leftOut)}</p>}
    </div>
  );
}
