/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from 'preact';
import { useErrorBoundary, useId } from 'preact/hooks';
import { useTexts } from './texts/use-texts.ts';

export type PaneName = 'seen' | 'sent' | 'raw';

const panes: readonly PaneName[] = ['seen', 'sent', 'raw'];

interface PaneButtonsProps {
  readonly current: PaneName;
  readonly onSelect: (pane: PaneName) => void;
}

/** The choice of a pane, where there is room for one only. */
export function PaneButtons({ current, onSelect }: PaneButtonsProps): VNode {
  const texts = useTexts();
  return (
    <>
      {panes.map((name) => (
        <button key={name} type="button" aria-pressed={current === name} onClick={() => onSelect(name)}>
          {texts.panes[name]}
        </button>
      ))}
    </>
  );
}

interface PaneProps {
  readonly name: PaneName;
  readonly title: string;
  readonly children: ComponentChildren;
}

/** One of the three views of a moment. A view that cannot be shown does not end the others. */
export function Pane({ name, title, children }: PaneProps): VNode {
  const texts = useTexts();
  const titleId = useId();
  const [error, retry] = useErrorBoundary();
  return (
    <section class={`pane ${name}`} aria-labelledby={titleId}>
      <h2 id={titleId}>{title}</h2>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be reachable by keyboard */}
      <div class="pane-body" tabIndex={0} role="group" aria-labelledby={titleId}>
        {error === undefined ? (
          children
        ) : (
          <p class="bad">
            {texts.broken(String(error))}{' '}
            <button type="button" onClick={retry}>
              {texts.retry}
            </button>
          </p>
        )}
      </div>
    </section>
  );
}
