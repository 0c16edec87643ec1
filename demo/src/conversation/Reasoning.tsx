import { type ReactElement, useEffect, useRef, useState } from 'react';
import { Markdown } from '../markdown/Markdown.tsx';
import { Icon } from '../ui/Icon.tsx';

/** The reasoning of the model: expanded while it streams, collapsed afterwards, unless the user has chosen otherwise. */
export function Reasoning({ text, isGrowing }: { readonly text: string; readonly isGrowing: boolean }): ReactElement {
  const [chosen, setChosen] = useState<boolean>();
  const [duration, setDuration] = useState<number>();
  const startedAt = useRef<number>(undefined);
  const isOpen = chosen ?? isGrowing;

  useEffect(() => {
    if (isGrowing) startedAt.current ??= performance.now();
    else if (startedAt.current !== undefined) setDuration(performance.now() - startedAt.current);
  }, [isGrowing]);

  return (
    <details className={isGrowing ? 'reasoning growing' : 'reasoning'} open={isOpen}>
      <summary
        onClick={(event) => {
          event.preventDefault();
          setChosen(!isOpen);
        }}
      >
        <Icon name="chevron" />
        {isGrowing ? 'Thinking…' : duration === undefined ? 'Thoughts' : `Thought for ${seconds(duration)}`}
      </summary>
      <Markdown text={text} />
    </details>
  );
}

function seconds(ms: number): string {
  return `${Math.max(1, Math.round(ms / 1000))} s`;
}
