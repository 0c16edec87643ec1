import { type ReactElement, type ReactNode, useId } from 'react';
import type { ElementRef } from '../base/ElementRef.ts';
import { ErrorBoundary } from '../base/ErrorBoundary.tsx';
import { Segments } from '../base/Segments.tsx';
import { useReviewTexts } from './reviewTexts.ts';

export type PaneName = 'seen' | 'request' | 'event';

const panes: readonly PaneName[] = ['seen', 'request', 'event'];

interface PaneTabsProps {
  readonly value: PaneName;
  readonly onChange: (pane: PaneName) => void;
}

/** The choice of a pane, where there is room for one only. */
export function PaneTabs({ value, onChange }: PaneTabsProps): ReactElement {
  const { panes: words } = useReviewTexts();
  const options = panes.map((name) => ({ value: name, label: words[name] }));
  return (
    <div className="bk-pane-tabs">
      <Segments legend={words.label} options={options} value={value} onChange={onChange} />
    </div>
  );
}

interface PaneProps {
  readonly name: PaneName;
  readonly title: string;
  /** Beside the title. */
  readonly tools?: ReactNode;
  /** What scrolls. */
  readonly body?: ElementRef<HTMLDivElement>;
  /** What the pane shows: after an error it is rendered again when this value changes. */
  readonly shows: unknown;
  readonly children: ReactNode;
}

/** One of the three views of a moment. A moment that one of them cannot show does not end the others. */
export function Pane({ name, title, tools, body, shows, children }: PaneProps): ReactElement {
  const { board: words } = useReviewTexts();
  const titleId = useId();
  return (
    <section className="bk-pane" data-pane={name} aria-labelledby={titleId}>
      <header className="bk-pane-top">
        <h2 id={titleId}>{title}</h2>
        {tools}
      </header>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be reachable by keyboard */}
      <div ref={body} className="bk-pane-body" tabIndex={0} role="group" aria-labelledby={titleId}>
        <ErrorBoundary shows={shows} renderFallback={() => <p className="bk-bad">{words.broken}</p>}>
          {children}
        </ErrorBoundary>
      </div>
    </section>
  );
}
