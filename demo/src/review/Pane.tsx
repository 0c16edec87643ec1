import { type ReactElement, type ReactNode, useId } from 'react';
import type { PaneName } from './PaneTabs.tsx';

interface PaneProps {
  readonly name: PaneName;
  readonly title: string;
  /** Beside the title. */
  readonly tools?: ReactNode;
  readonly children: ReactNode;
}

/** One of the three views of a moment. */
export function Pane({ name, title, tools, children }: PaneProps): ReactElement {
  const titleId = useId();
  return (
    <section className={`pane ${name}-pane`} aria-labelledby={titleId}>
      <header className="pane-top">
        <h2 id={titleId}>{title}</h2>
        {tools}
      </header>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be reachable by keyboard */}
      <div className="pane-body" tabIndex={0} role="group" aria-labelledby={titleId}>
        {children}
      </div>
    </section>
  );
}
