import { type ReactElement, useLayoutEffect, useMemo, useRef } from 'react';
import { useTexts } from '../texts/useTexts.ts';
import { lazyModule } from './lazyModule.ts';

/** What makes MathML of TeX. Until it is there, a formula is shown as code. */
export const typesetter = lazyModule(() => import('./typeset.ts'));

interface FormulaViewProps {
  readonly tex: string;
  readonly isDisplay: boolean;
  /** With its delimiters. */
  readonly source: string;
}

/** A formula. What is copied of it is its source, which lies over it without a colour. One that cannot be typeset is shown as code. */
export function FormulaView({ source, tex, isDisplay }: FormulaViewProps): ReactElement {
  const { markdown: words } = useTexts();
  const module = typesetter.useModule();
  const math = useMemo(() => module?.typeset(tex, isDisplay), [module, tex, isDisplay]);
  const frame = useRef<HTMLSpanElement>(null);

  useLayoutEffect(() => {
    const { current } = frame;
    if (!current || !math) return;
    current.replaceChildren(math);
    // What scrolls must be reachable by keyboard.
    if (current.scrollWidth > current.clientWidth) current.tabIndex = 0;
  }, [math]);

  if (!math) return <code>{tex}</code>;
  return (
    <span className={isDisplay ? 'formula display' : 'formula'}>
      <span ref={frame} className="formula-math" role="group" aria-label={words.formula} />
      <span className="formula-source" aria-hidden="true">
        {source}
      </span>
    </span>
  );
}
