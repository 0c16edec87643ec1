import type { Part } from 'brooklet';
import { type ReactElement, useState } from 'react';
import { Markdown } from '../markdown/Markdown.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Elapsed } from './TimeLeft.tsx';
import { useTexts } from '../texts/useTexts.ts';

interface ReasoningProps {
  readonly part: Extract<Part, { readonly type: 'reasoning' }>;
  readonly isGrowing: boolean;
}

/** The reasoning of the model: expanded while it streams, collapsed afterwards, unless the user has chosen otherwise. */
export function Reasoning({ part, isGrowing }: ReasoningProps): ReactElement {
  const { steps: words } = useTexts();
  const [chosen, setChosen] = useState<boolean>();
  const { text, durationMs, startedAt } = part;
  const isOpen = chosen ?? isGrowing;

  return (
    <details className={isGrowing ? 'reasoning growing' : 'reasoning'} open={isOpen}>
      <summary
        onClick={(event) => {
          event.preventDefault();
          setChosen(!isOpen);
        }}
      >
        <Icon name="chevron" />
        {isGrowing && <span className="growing-label">{words.thinking}</span>}
        {isGrowing && startedAt !== undefined && <Elapsed since={startedAt} />}
        {!isGrowing && (durationMs === undefined ? words.thoughts : words.thoughtFor(toSeconds(durationMs)))}
      </summary>
      <Markdown text={text} isUnfinished={isGrowing} />
    </details>
  );
}

const toSeconds = (ms: number): number => Math.max(1, Math.round(ms / 1000));
