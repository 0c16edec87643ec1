import type { ReactElement, ReactNode } from 'react';
import { Icon } from './Icon.tsx';

interface StripProps {
  readonly text: string;
  /** Verbs beside the text. */
  readonly children?: ReactNode;
}

/** A note of one line about a conversation. Screen readers announce it. */
export function Strip({ text, children }: StripProps): ReactElement {
  return (
    <output className="strip">
      <Icon name="alert" />
      <span>
        {text} {children}
      </span>
    </output>
  );
}
