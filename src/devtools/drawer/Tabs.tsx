import type { KeyboardEvent, ReactElement } from 'react';
import { useDrawerTexts } from './texts/use-drawer-texts.ts';

const tabs = ['log', 'state', 'requests', 'review'] as const;

export type TabName = (typeof tabs)[number];

interface TabsProps {
  readonly current: TabName;
  readonly onSelect: (name: TabName) => void;
}

/** The tabs. ← and → move between them, as Home and End do. */
export function Tabs({ current, onSelect }: TabsProps): ReactElement {
  const texts = useDrawerTexts();
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const next = tabs[indexFor(event.key, tabs.indexOf(current)) ?? -1];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onSelect(next);
    event.currentTarget.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
  };
  return (
    <div className="rooms" role="tablist" tabIndex={-1} aria-label={texts.devtools} onKeyDown={onKeyDown}>
      {tabs.map((name) => (
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
          {texts.tabs[name]}
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
