import { type ReactElement, useEffect, useRef } from 'react';
import { useReviewTexts } from '../texts/reviewTexts.ts';
import type { View, ViewName } from './views.ts';

interface ViewTabsProps {
  readonly views: readonly View[];
  readonly value: ViewName;
  readonly onChange: (view: ViewName) => void;
}

/** The choice of a view. Buttons, not tabs: the arrow keys move through the session. */
export function ViewTabs({ views, value, onChange }: ViewTabsProps): ReactElement {
  const { views: words } = useReviewTexts();
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [value]);
  return (
    <nav ref={nav} className="view-tabs" aria-label={words.label}>
      {views.map(({ name, count }, index) => (
        <button
          key={name}
          type="button"
          className={name === 'errors' && count !== undefined && count > 0 ? 'view-tab alarming' : 'view-tab'}
          aria-current={name === value ? 'page' : undefined}
          aria-keyshortcuts={String(index + 1)}
          title={`${words[name]} (${index + 1})`}
          onClick={() => onChange(name)}
        >
          {words[name]}
          {count !== undefined && count > 0 && <span className="badge">{count}</span>}
        </button>
      ))}
    </nav>
  );
}
