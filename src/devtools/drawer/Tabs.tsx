/** @jsxImportSource preact */
import type { VNode } from 'preact';

const tabs = [
  { name: 'log', label: 'Log' },
  { name: 'state', label: 'State' },
  { name: 'requests', label: 'Requests' },
  { name: 'review', label: 'Review' },
] as const;

export type TabName = (typeof tabs)[number]['name'];

interface TabsProps {
  readonly current: TabName;
  readonly onSelect: (name: TabName) => void;
}

/** The tabs. ← and → move between them, as Home and End do. */
export function Tabs({ current, onSelect }: TabsProps): VNode {
  const onKeyDown = (event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void => {
    const next =
      tabs[
        indexFor(
          event.key,
          tabs.findIndex(({ name }) => name === current),
        ) ?? -1
      ];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onSelect(next.name);
    event.currentTarget.querySelector<HTMLElement>(`#tab-${next.name}`)?.focus();
  };
  return (
    <div class="rooms" role="tablist" tabIndex={-1} aria-label="Devtools" onKeyDown={onKeyDown}>
      {tabs.map(({ name, label }) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`tab-${name}`}
          aria-controls="panel"
          aria-selected={name === current}
          tabIndex={name === current ? 0 : -1}
          onClick={() => onSelect(name)}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

/** Returns the index that a key moves to. */
function indexFor(key: string, index: number): number | undefined {
  const { length } = tabs;
  switch (key) {
    case 'ArrowLeft':
      return (index + length - 1) % length;
    case 'ArrowRight':
      return (index + 1) % length;
    case 'Home':
      return 0;
    case 'End':
      return length - 1;
    default:
      return undefined;
  }
}
