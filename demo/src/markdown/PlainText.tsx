import type { ReactElement } from 'react';

/** Markdown that is shown as it was written: its rendering failed, or would block the page. */
export function PlainText({ text }: { readonly text: string }): ReactElement {
  return (
    <div className="plain">
      <p className="hint">Shown without formatting</p>
      <p dir="auto" className="source-text">
        {text}
      </p>
    </div>
  );
}
