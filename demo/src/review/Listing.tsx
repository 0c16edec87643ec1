import { type ReactElement, type ReactNode, useState } from 'react';
import { useReviewTexts } from '../texts/reviewTexts.ts';

interface ListingProps<Item> {
  readonly name: string;
  readonly items: readonly Item[];
  /** Shown where there is no item. */
  readonly empty: string;
  readonly render: (item: Item, index: number) => ReactNode;
}

/** Items that are rendered at first. */
const pageSize = 100;

/** A view that lists things. A long list is shown in pages. */
export function Listing<Item>({ name, items, empty, render }: ListingProps<Item>): ReactElement {
  const words = useReviewTexts();
  const [shown, setShown] = useState(pageSize);
  return (
    <View name={name}>
      {items.length === 0 && <p className="nothing">{empty}</p>}
      <ol className="listing">{items.slice(0, shown).map(render)}</ol>
      {items.length > shown && (
        <button type="button" onClick={() => setShown(shown + pageSize)}>
          {words.more(Math.min(pageSize, items.length - shown), items.length)}
        </button>
      )}
    </View>
  );
}

/** The frame of a view: scrolls, also by keyboard. */
export function View({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be reachable by keyboard
    <main className="review-view" tabIndex={0} aria-label={name}>
      <div className="review-column">
        <h2 className="visually-hidden">{name}</h2>
        {children}
      </div>
    </main>
  );
}
