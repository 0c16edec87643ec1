/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from 'preact';
import { useErrorBoundary, useId } from 'preact/hooks';

export type PaneName = 'seen' | 'sent' | 'raw';

const panes: readonly { readonly name: PaneName; readonly label: string }[] = [
  { name: 'seen', label: 'Person' },
  { name: 'sent', label: 'Model' },
  { name: 'raw', label: 'Log' },
];

interface PaneButtonsProps {
  readonly current: PaneName;
  readonly onSelect: (pane: PaneName) => void;
}

/** The choice of a pane, where there is room for one only. */
export function PaneButtons({ current, onSelect }: PaneButtonsProps): VNode {
  return (
    <>
      {panes.map(({ name, label }) => (
        <button key={name} type="button" aria-pressed={current === name} onClick={() => onSelect(name)}>
          {label}
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
            This moment cannot be shown: {String(error)}{' '}
            <button type="button" onClick={retry}>
              Try again
            </button>
          </p>
        )}
      </div>
    </section>
  );
}
