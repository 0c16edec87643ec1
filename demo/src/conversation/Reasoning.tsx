import { type ReactElement, useEffect, useRef, useState } from 'react';
import { Markdown } from '../markdown/Markdown.tsx';
import { Icon } from '../ui/Icon.tsx';

/** What the model thought: open while it thinks, folded afterwards, unless the person decided otherwise. */
export function Reasoning({ text, isGrowing }: { readonly text: string; readonly isGrowing: boolean }): ReactElement {
  const [chosen, setChosen] = useState<boolean>();
  const [took, setTook] = useState<number>();
  const began = useRef<number>(undefined);
  const isOpen = chosen ?? isGrowing;

  useEffect(() => {
    if (isGrowing) began.current ??= performance.now();
    else if (began.current !== undefined) setTook(performance.now() - began.current);
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
        {isGrowing ? 'Thinking…' : took === undefined ? 'Thoughts' : `Thought for ${seconds(took)}`}
      </summary>
      <Markdown text={text} />
    </details>
  );
}

function seconds(ms: number): string {
  return `${Math.max(1, Math.round(ms / 1000))} s`;
}
