import type { ReactElement } from 'react';
import { useLabels } from '../labels/useLabels.ts';
import { maxText } from './limits.ts';
import { visible } from '../base/visible.ts';

interface CodeProps {
  readonly text: string;
  readonly state?: 'bad' | undefined;
}

/** A text of a call, as it is. What is too long is left out, with a note. */
export function Code({ text, state }: CodeProps): ReactElement {
  const { leftOut } = useLabels('tool', undefined);
  return (
    <>
      <pre className="bk-json" data-state={state} dir="auto">
        {visible(text.slice(0, maxText))}
      </pre>
      {text.length > maxText && <p className="bk-hint">{leftOut(text.length - maxText)}</p>}
    </>
  );
}
