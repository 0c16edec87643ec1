import type { ToolDetails } from 'brooklet/core';
import { type ReactElement, useMemo } from 'react';
import { type DiffLine, diffLines } from './diffLines.ts';
import { useTexts } from '../texts/useTexts.ts';

const signs: Readonly<Record<DiffLine['is'], string>> = { kept: ' ', removed: '−', added: '+' };

/** The diff of a file, line by line. */
export function Diff({ details }: { readonly details: Extract<ToolDetails, { type: 'diff' }> }): ReactElement {
  const { tool: text } = useTexts();
  const words: Readonly<Record<DiffLine['is'], string>> = { kept: '', removed: text.removed, added: text.added };
  const { filePath, oldContent, newContent } = details;
  const lines = useMemo(() => diffLines(oldContent, newContent), [oldContent, newContent]);
  const count = (is: DiffLine['is']): number => lines.filter((line) => line.is === is).length;
  return (
    <figure className="diff">
      <figcaption>
        <bdi>{filePath || text.change}</bdi>
        <span className="good">+{count('added')}</span>
        <span className="bad">−{count('removed')}</span>
      </figcaption>
      <pre className="json">
        {lines.map(({ is, text: line }, index) => (
          // A line has no other key than its index.
          <span key={index} className={`diff-line ${is}`}>
            <span aria-hidden="true">{signs[is]}</span>
            <span className="visually-hidden">{words[is]}</span>
            {line}
            {'\n'}
          </span>
        ))}
      </pre>
    </figure>
  );
}
