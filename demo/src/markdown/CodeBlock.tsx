import type { ReactElement } from 'react';
import { CopyButton } from '../ui/CopyButton.tsx';

/** A block of code, with a button that copies the code. */
export function CodeBlock({ language, text }: { readonly language: string; readonly text: string }): ReactElement {
  return (
    <figure className="code" aria-label={language === '' ? 'Code' : `Code, ${language}`}>
      <figcaption>
        <span>{language}</span>
        <CopyButton label="Copy code" getText={() => text} />
      </figcaption>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </figure>
  );
}
