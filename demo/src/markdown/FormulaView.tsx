import { type ReactElement, useLayoutEffect, useMemo, useRef } from 'react';
import { useTexts } from '../texts/useTexts.ts';
import type { Formula } from './formulas.ts';
import { lazyModule } from './lazyModule.ts';

/** What makes MathML of TeX. Until it is there, a formula is shown as it was written. */
export const typesetter = lazyModule(() => import('./typeset.ts'));

/**
 * A formula. What is copied of it is its source, which lies over it without a colour. A formula that still streams, or that cannot be
 * typeset, is shown as code.
 */
export function FormulaView({ source, tex, isDisplay, isClosed }: Formula): ReactElement | null {
  const { markdown: words } = useTexts();
  const module = typesetter.useModule(isClosed);
  const math = useMemo(
    () => (isClosed ? module?.typeset(tex, isDisplay) : undefined),
    [module, tex, isDisplay, isClosed],
  );
  const frame = useRef<HTMLSpanElement>(null);

  useLayoutEffect(() => {
    const { current } = frame;
    if (!current || !math) return;
    current.replaceChildren(math);
    // What scrolls must be reachable by keyboard.
    if (current.scrollWidth > current.clientWidth) current.tabIndex = 0;
  }, [math]);

  if (tex === '') return null;
  if (!math) return <code className="formula-code">{tex}</code>;
  return (
    <span className={isDisplay ? 'formula display' : 'formula'}>
      <span ref={frame} className="formula-math" role="group" aria-label={words.formula} />
      <span className="formula-source" aria-hidden="true">
        {source}
      </span>
    </span>
  );
}
