import { type ReactElement, useEffect, useRef } from 'react';
import { reveal } from './reveal.ts';
import type { ReviewViewName } from './props.ts';
import { useReviewTexts } from './reviewTexts.ts';
import type { OfferedView } from './views.ts';

interface ViewTabsProps {
  readonly views: readonly OfferedView[];
  readonly value: ReviewViewName;
  readonly onChange: (view: ReviewViewName) => void;
}

/** The choice of a view. Buttons, not tabs: the arrow keys move through the session. */
export function ViewTabs({ views, value, onChange }: ViewTabsProps): ReactElement {
  const { views: words } = useReviewTexts();
  const nav = useRef<HTMLElement>(null);
  useEffect(() => reveal(nav.current, '[aria-current]'), [value]);
  return (
    <nav ref={nav} className="bk-view-tabs" aria-label={words.label}>
      {views.map(({ name, count = 0 }, index) => (
        <button
          key={name}
          type="button"
          className="bk-view-tab"
          data-state={name === 'errors' && count > 0 ? 'alarming' : undefined}
          aria-current={name === value ? 'page' : undefined}
          aria-keyshortcuts={String(index + 1)}
          title={`${words[name]} (${index + 1})`}
          onClick={() => onChange(name)}
        >
          {words[name]}
          {count > 0 && <span className="bk-badge">{count}</span>}
        </button>
      ))}
    </nav>
  );
}
