import { elementScroll, useVirtualizer } from '@tanstack/react-virtual';
import type { ThreadRows } from 'brooklet/ui';
import type { ReactElement } from 'react';

/** px, until a row has been measured. */
const estimate = 140;

/** The rows near the viewport, and space in the place of the others. `aria-posinset` tells a screen reader where they are. */
export function VirtualRows({ keys, renderRow, scroller, onCorrected }: ThreadRows): ReactElement {
  // oxlint-disable-next-line react/incompatible-library -- nothing of it is passed on to other components
  const virtualizer = useVirtualizer<HTMLElement, Element>({
    count: keys.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => estimate,
    getItemKey: (index) => keys[index] ?? index,
    overscan: 6,
    // Corrects the position where rows above the viewport turn out smaller or taller than estimated.
    scrollToFn: (offset, options, instance) => {
      elementScroll(offset, options, instance);
      onCorrected();
    },
    useFlushSync: false,
  });
  const items = virtualizer.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <ol className="bk-messages virtual" style={{ paddingBlock: `${before}px ${after}px` }}>
      {items.map(({ key, index }) => (
        <li
          key={key}
          ref={virtualizer.measureElement}
          data-index={index}
          className="bk-row"
          aria-posinset={index + 1}
          aria-setsize={keys.length}
        >
          {renderRow(index)}
        </li>
      ))}
    </ol>
  );
}
