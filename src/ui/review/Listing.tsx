import { type ReactElement, type ReactNode, useState } from 'react';
import { useReviewTexts } from './reviewTexts.ts';

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
  const { board: words } = useReviewTexts();
  const [shown, setShown] = useState(pageSize);
  return (
    <View name={name}>
      {items.length === 0 && <p className="bk-nothing">{empty}</p>}
      <ol className="bk-listing">{items.slice(0, shown).map(render)}</ol>
      {items.length > shown && (
        <button type="button" className="bk-more" onClick={() => setShown(shown + pageSize)}>
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
    <section className="bk-review-view" tabIndex={0} aria-label={name}>
      <div className="bk-review-column">
        <h2 className="bk-hidden">{name}</h2>
        {children}
      </div>
    </section>
  );
}
