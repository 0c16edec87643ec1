import type { ReactElement } from 'react';
import '../styles/tools.css';

/** JSON that scrolls. */
export function JsonBox({ label, text }: { readonly label: string; readonly text: string }): ReactElement {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be reachable by keyboard
    <pre className="json" tabIndex={0} role="group" aria-label={label} dir="ltr">
      {text}
    </pre>
  );
}
