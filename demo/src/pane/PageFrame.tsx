import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useTexts } from '../texts/useTexts.ts';
import { mountSandbox } from './sandbox.ts';

/** A page that a model has written, in a sandbox without a network. */
export function PageFrame({ html }: { readonly html: string }): ReactElement {
  const { pane: words } = useTexts();
  const container = useRef<HTMLDivElement>(null);
  const [hasLeft, setHasLeft] = useState(false);
  useEffect(() => {
    if (!container.current) return undefined;
    const { remove } = mountSandbox(container.current, { html, title: words.page, onLeft: () => setHasLeft(true) });
    return remove;
  }, [html, words.page]);
  return (
    <>
      <p className="hint">{hasLeft ? words.left : words.sandboxed}</p>
      <div ref={container} className="page-frame" />
    </>
  );
}
