import { type ReactElement, useState } from 'react';
import { Elapsed } from '../base/Clock.tsx';
import { Icon } from '../base/Icon.tsx';
import { part } from '../base/part.ts';
import type { ReasoningPart } from '../../core/model/index.ts';
import { useLabels } from '../labels/useLabels.ts';
import { Markdown } from '../markdown/Markdown.tsx';
import { useParts } from '../parts.ts';

interface ReasoningProps {
  readonly content: ReasoningPart;
  readonly isGrowing: boolean;
}

/** The reasoning of the model: open while it streams, closed afterwards, unless the person has chosen otherwise. */
export function Reasoning({ content, isGrowing }: ReasoningProps): ReactElement {
  const words = useLabels('message', undefined);
  const { Markdown: Text = Markdown } = useParts();
  const [chosen, setChosen] = useState<boolean>();
  const { text, durationMs, startedAt } = content;
  const isOpen = chosen ?? isGrowing;
  return (
    <details {...part('reasoning', undefined, isGrowing ? 'growing' : 'complete')} open={isOpen}>
      <summary
        onClick={(event) => {
          event.preventDefault();
          setChosen(!isOpen);
        }}
      >
        <Icon name="chevron" />
        {isGrowing && <span>{words.thinking}</span>}
        {isGrowing && startedAt !== undefined && <Elapsed since={startedAt} />}
        {!isGrowing && (durationMs === undefined ? words.thoughts : words.thoughtFor(toSeconds(durationMs)))}
      </summary>
      {isOpen && <Text text={text} isUnfinished={isGrowing} />}
    </details>
  );
}

const toSeconds = (ms: number): number => Math.max(1, Math.round(ms / 1_000));
