import type { ReactElement } from 'react';
import { useTexts } from '../texts/useTexts.ts';

/** Markdown that is shown as it was written: its rendering failed, or would block the page. */
export function PlainText({ text }: { readonly text: string }): ReactElement {
  const { markdown: words } = useTexts();
  return (
    <div className="plain">
      <p className="hint">{words.plain}</p>
      <p dir="auto" className="source-text">
        {text}
      </p>
    </div>
  );
}
