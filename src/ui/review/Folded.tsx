import { type ReactElement, type ReactNode, useState } from 'react';
import { Icon } from '../base/Icon.tsx';

interface FoldedProps {
  readonly title: ReactNode;
  /** Rendered while it is open. */
  readonly render: () => ReactNode;
}

/** What is shown on request. */
export function Folded({ title, render }: FoldedProps): ReactElement {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className="bk-folded" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        <Icon name="chevron" />
        <span>{title}</span>
      </summary>
      {isOpen && <div className="bk-folded-body">{render()}</div>}
    </details>
  );
}
