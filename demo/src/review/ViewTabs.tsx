import { type ReactElement, useEffect, useRef } from 'react';
import type { View, ViewName } from './views.ts';

interface ViewTabsProps {
  readonly views: readonly View[];
  readonly value: ViewName;
  readonly onChange: (view: ViewName) => void;
}

/** The choice of a view. Buttons, not tabs: the arrow keys move through the session. */
export function ViewTabs({ views, value, onChange }: ViewTabsProps): ReactElement {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [value]);
  return (
    <nav ref={nav} className="view-tabs" aria-label="Views">
      {views.map(({ name, label, count }, index) => (
        <button
          key={name}
          type="button"
          className={name === 'errors' && count !== undefined && count > 0 ? 'view-tab alarming' : 'view-tab'}
          aria-current={name === value ? 'page' : undefined}
          aria-keyshortcuts={String(index + 1)}
          title={`${label} (${index + 1})`}
          onClick={() => onChange(name)}
        >
          {label}
          {count !== undefined && count > 0 && <span className="badge">{count}</span>}
        </button>
      ))}
    </nav>
  );
}
