import { type ReactElement, useMemo } from 'react';
import { part } from '../base/part.ts';
import { useLabels } from '../labels/useLabels.ts';
import type { DiffProps } from './props.ts';
import { type DiffLine, diffLines } from './diffLines.ts';
import { maxDiffLines } from './limits.ts';
import { visible } from '../base/visible.ts';

const signs: Readonly<Record<DiffLine['is'], string>> = { kept: ' ', removed: '−', added: '+' };

/** The change of a text, line by line. */
export function Diff({ before, after, name = '', labels, className }: DiffProps): ReactElement {
  const text = useLabels('diff', labels);
  const words: Readonly<Record<DiffLine['is'], string>> = { kept: '', removed: text.removed, added: text.added };
  const lines = useMemo(() => diffLines(before, after), [before, after]);
  const count = (is: DiffLine['is']): number => lines.filter((line) => line.is === is).length;
  return (
    <figure {...part('diff', className)} aria-label={name || text.change}>
      <figcaption>
        <bdi>{visible(name || text.change)}</bdi>
        <span className="bk-good">+{count('added')}</span>
        <span className="bk-bad">−{count('removed')}</span>
      </figcaption>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be reachable by keyboard */}
      <pre className="bk-json" tabIndex={0}>
        {lines.slice(0, maxDiffLines).map(({ is, text: line }, index) => (
          // A line has no other key than its index.
          <span key={index} className="bk-diff-line" data-state={is}>
            <span aria-hidden="true">{signs[is]}</span>
            <span className="bk-hidden">{words[is]}</span>
            {visible(line)}
            {'\n'}
          </span>
        ))}
      </pre>
      {lines.length > maxDiffLines && <p className="bk-hint">{text.leftOut(lines.length - maxDiffLines)}</p>}
    </figure>
  );
}
